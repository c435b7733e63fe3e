package dev.purser.local;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class GradientModelTests {
    private static final double[] FEATURES = {0.5, -1};
    private static final double[] PARAMETERS = {0.4, 0.1, 0.3};

    @Test
    void ofALinearModelIsTwiceTheErrorTimesTheFeatureAndTheInterceptComesLast() {
        // 0.2 - 0.1 + 0.3 = 0.4, and the target is 0.1
        assertThat(GradientModel.LINEAR.prediction(FEATURES, PARAMETERS)).isEqualTo(0.4, within(1e-12));
        assertThat(GradientModel.LINEAR.gradient(FEATURES, 0.1, PARAMETERS))
                .containsExactly(new double[] {0.3, -0.6, 0.6}, within(1e-12));
    }

    @Test
    void ofALogisticModelIsTheErrorOfTheProbabilityTimesTheFeature() {
        double probability = 1 / (1 + Math.exp(-0.4));
        assertThat(GradientModel.LOGISTIC.prediction(FEATURES, PARAMETERS)).isEqualTo(probability, within(1e-12));
        assertThat(GradientModel.LOGISTIC.gradient(FEATURES, 1, PARAMETERS))
                .containsExactly(new double[] {(probability - 1) / 2, 1 - probability, probability - 1}, within(1e-12));
    }

    /** The derivative of the loss, by differences. */
    @Test
    void isTheDerivativeOfTheLoss() {
        for (int j = 0; j < PARAMETERS.length; j++) {
            double linear = (loss(true, j, 1e-6) - loss(true, j, -1e-6)) / 2e-6;
            double logistic = (loss(false, j, 1e-6) - loss(false, j, -1e-6)) / 2e-6;
            assertThat(GradientModel.LINEAR.gradient(FEATURES, 0, PARAMETERS)[j])
                    .isEqualTo(linear, within(1e-8));
            assertThat(GradientModel.LOGISTIC.gradient(FEATURES, 0, PARAMETERS)[j])
                    .isEqualTo(logistic, within(1e-8));
        }
    }

    private static double loss(boolean isLinear, int moved, double by) {
        double[] parameters = PARAMETERS.clone();
        parameters[moved] += by;
        return isLinear
                ? Math.pow(GradientModel.LINEAR.prediction(FEATURES, parameters), 2)
                : -Math.log(1 - GradientModel.LOGISTIC.prediction(FEATURES, parameters));
    }

    @Test
    void isClippedAndRoundedToTheGrid() {
        double[] clipped = GradientModel.LINEAR.gradient(new double[] {1, -1}, -1, new double[] {0.5, 0, 1});
        assertThat(clipped).containsExactly(1, -1, 1);
        assertThat(GradientModel.positions(new double[] {-1, 0, 0.25, 1, Double.NaN}).stream()
                        .map(position -> 2.0 * position.part() / position.width() - 1))
                .containsExactlyElementsOf(
                        DoubleStream.of(-1, 0, 0.25, 1, 0).boxed().toList());
        assertThatThrownBy(() -> GradientModel.LINEAR.prediction(FEATURES, new double[2]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
