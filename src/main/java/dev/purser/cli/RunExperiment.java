package dev.purser.cli;

import dev.purser.experiment.ErrorRow;
import dev.purser.experiment.Experiment;
import dev.purser.experiment.ExperimentResult;
import dev.purser.experiment.MeanExperiment;
import dev.purser.experiment.Progress;
import dev.purser.experiment.RegressionExperiment;
import dev.purser.json.JsonDocument;
import dev.purser.json.PrivacyJson;
import dev.purser.noise.SecureBits;
import dev.purser.problem.ProblemException;
import dev.purser.problem.Violation;
import java.io.ByteArrayInputStream;
import java.io.Console;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs experiments and writes their results and tables. Without a request it runs the experiments of
 * docs/local-privacy.md.
 */
@Command(
        name = "experiment",
        mixinStandardHelpOptions = true,
        description = "Compares local randomizers on generated data. Writes NAME.json and NAME.csv.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:all files are written", "2:wrong usage, or a file cannot be read or written"})
final class RunExperiment implements Callable<Integer> {
    private static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new PrivacyJson())
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    /** The experiments, with the requests that reproduce the results of the notebook. */
    enum Name {
        MEAN("{\"devices\":2000,\"epsilons\":[\"0.1\",\"0.25\",\"0.5\",\"1\"],\"repetitions\":400}"),
        REUSE("{\"distributions\":[\"uniform\"],\"devices\":250,\"epsilons\":[\"0.1\",\"0.5\"],"
                + "\"methods\":[\"hiera\",\"hiera-clamped\"],\"reuse\":[1,2,3,5],\"repetitions\":10000}"),
        REGRESSION("{\"records\":30000,\"epsilons\":[\"0.5\",\"1\",\"2\"],\"repetitions\":2}");

        private final String request;

        Name(String request) {
            this.request = request;
        }

        private Experiment read(byte[] json) {
            JsonDocument document = JsonDocument.parse(json);
            return this == REGRESSION ? document.read(RegressionExperiment::read) : document.read(MeanExperiment::read);
        }
    }

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "0..3", paramLabel = "NAME", description = "mean, reuse or regression. Without one, all three.")
    private List<Name> names = List.of(Name.values());

    @Option(names = "--out", required = true, paramLabel = "FOLDER", description = "Where the files are written.")
    private @Nullable Path out;

    @Option(
            names = "--request",
            paramLabel = "FILE",
            description = "A JSON object with its parameters, in place of the built-in ones: docs/operating.md.")
    private @Nullable Path requestFile;

    private RunExperiment() {}

    @Override
    public Integer call() {
        CommandLine command = Objects.requireNonNull(spec).commandLine();
        try {
            Path folder = Files.createDirectories(Objects.requireNonNull(out));
            for (Name name : names) {
                byte[] request = requestFile == null
                        ? name.request.getBytes(StandardCharsets.UTF_8)
                        : Files.readAllBytes(requestFile);
                run(name, name.read(request), folder, command);
            }
            return 0;
        } catch (ProblemException refusal) {
            throw new CommandLine.ParameterException(command, "The request: " + brokenRules(refusal));
        } catch (IOException failure) {
            throw new CommandLine.ParameterException(command, "A file: " + failure.getMessage());
        }
    }

    private static String brokenRules(ProblemException refusal) {
        return refusal.violations().isEmpty()
                ? refusal.detail()
                : refusal.violations().stream().map(Violation::detail).collect(Collectors.joining("; "));
    }

    private static void run(Name name, Experiment experiment, Path folder, CommandLine command) throws IOException {
        String word = name.name().toLowerCase(Locale.ROOT);
        long begun = System.nanoTime();
        ExperimentResult result = experiment.run(new Progress(experiment, bar(word, command)), new SecureBits());
        double seconds = (System.nanoTime() - begun) / 1e9;
        byte[] json = JSON.writeValueAsBytes(result);
        Files.write(folder.resolve(word + ".json"), json);
        try (OutputStream csv = Files.newOutputStream(folder.resolve(word + ".csv"))) {
            ErrorRow.TABLE.render(new ByteArrayInputStream(json), csv);
        }
        command.getOut()
                .printf(Locale.ROOT, "%s: %,d reports in %.1f s%n", word, experiment.reports(), seconds)
                .flush();
    }

    /** A progress bar on a terminal, and nothing elsewhere. */
    private static IntConsumer bar(String word, CommandLine command) {
        Console console = System.console();
        if (console == null || !console.isTerminal()) {
            return percent -> {};
        }
        return percent -> command.getErr()
                .printf("\r%s [%-50s] %3d %%%s", word, "#".repeat(percent / 2), percent, percent == 100 ? "\n" : "")
                .flush();
    }
}
