package dev.purser.dataset;

import dev.purser.ledger.Budget;
import dev.purser.ledger.BudgetLedger;
import dev.purser.privacy.Delta;
import dev.purser.privacy.Epsilon;
import dev.purser.privacy.PrivacyAmount;
import dev.purser.privacy.Rho;
import dev.purser.store.Order;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/**
 * What remains of the budget of each dataset, and its limit, as metrics. Both depend on charges and limits alone. They
 * are read from the ledger whenever the metrics are read, for the first {@value #MOST} datasets by id. Each accountant
 * has its own amounts: epsilon, epsilon and delta, or rho.
 */
@Component
final class BudgetMetrics implements MultiCollector {
    /** Bounds the work of one reading of the metrics. */
    static final int MOST = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(BudgetMetrics.class);

    private static final List<Amount> AMOUNTS = List.of(
            new Amount("epsilon", amount -> (double) amount.epsilon().nanos() / Epsilon.NANOS_PER_UNIT),
            new Amount("delta", amount -> (double) amount.delta().attos() / Delta.ATTOS_PER_UNIT),
            new Amount("rho", amount -> (double) amount.rho().picos() / Rho.PICOS_PER_UNIT));

    private final DatasetCatalog datasets;
    private final BudgetLedger ledger;

    /** @param registry absent if the export of metrics is switched off */
    BudgetMetrics(DatasetCatalog datasets, BudgetLedger ledger, ObjectProvider<PrometheusRegistry> registry) {
        this.datasets = datasets;
        this.ledger = ledger;
        registry.ifAvailable(each -> each.register(this));
    }

    private record Amount(String name, ToDoubleFunction<PrivacyAmount> value) {}

    @Override
    public MetricSnapshots collect() {
        List<ListedDataset> listed;
        Map<String, Budget> budgets;
        try {
            listed = datasets.list(Order.ASC, "", MOST);
            budgets =
                    ledger.summaries(listed.stream().map(ListedDataset::account).collect(Collectors.toSet()));
        } catch (RuntimeException unreadable) {
            LOG.warn("the metrics lack the budgets: {}", unreadable.getClass().getName());
            return new MetricSnapshots();
        }
        List<GaugeSnapshot> gauges = new ArrayList<>();
        for (Amount amount : AMOUNTS) {
            GaugeSnapshot.Builder remaining = GaugeSnapshot.builder()
                    .name("purser_budget_remaining_" + amount.name())
                    .help("What remains of the dataset's budget");
            GaugeSnapshot.Builder limit = GaugeSnapshot.builder()
                    .name("purser_budget_limit_" + amount.name())
                    .help("The limit of the dataset's budget");
            for (ListedDataset dataset : listed) {
                Budget budget = budgets.get(dataset.account());
                if (budget != null && isCompared(amount, budget.limit())) {
                    Labels labels = Labels.of("dataset", dataset.id());
                    remaining.dataPoint(point(labels, amount, budget.remaining()));
                    limit.dataPoint(point(labels, amount, budget.limit()));
                }
            }
            gauges.add(remaining.build());
            gauges.add(limit.build());
        }
        return new MetricSnapshots(gauges.toArray(GaugeSnapshot[]::new));
    }

    /** Whether the accountant compares this amount with the limit: under {@code zcdp} only rho. */
    private static boolean isCompared(Amount amount, PrivacyAmount limit) {
        boolean concentrated = limit.rho().picos() > 0;
        return concentrated == amount.name().equals("rho")
                && (amount.name().equals("epsilon") || amount.value().applyAsDouble(limit) > 0);
    }

    private static GaugeDataPointSnapshot point(Labels labels, Amount amount, PrivacyAmount of) {
        return GaugeDataPointSnapshot.builder()
                .labels(labels)
                .value(amount.value().applyAsDouble(of))
                .build();
    }
}
