package dev.purser.cli;

import dev.purser.ledger.LedgerEntry;
import dev.purser.ledger.proof.Receipt;
import dev.purser.ledger.proof.ReceiptProof;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Verifies a receipt against its answer, request and ledger, offline. */
@Command(
        name = "verify-receipt",
        mixinStandardHelpOptions = true,
        description = "Verifies a signed receipt offline, with the files given beside it.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:everything given is proven", "1:something is not proven; it is named", "2:wrong usage"})
final class VerifyReceipt implements Callable<Integer> {
    private static final int NOT_PROVEN = 1;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "RECEIPT", description = "The receipt, as GET /v1/queries/{queryId}/receipt sent it.")
    private @Nullable Path receiptFile;

    @Option(names = "--answer", description = "The answer, byte for byte as it was sent.")
    private @Nullable Path answerFile;

    @Option(names = "--request", description = "The request's body, byte for byte as it was sent.")
    private @Nullable Path requestFile;

    @Option(
            names = "--public-key",
            description =
                    "The service's signing.pub, with one key or several; without it the receipt's own key is used,"
                            + " unverified.")
    private @Nullable Path publicKeyFile;

    @Option(
            names = "--ledger",
            arity = "1..*",
            description = "All pages of GET /v1/datasets/{id}/ledger, in their order.")
    private List<Path> ledgerFiles = List.of();

    private VerifyReceipt() {}

    @Override
    public Integer call() throws IOException {
        CommandLine command = required(spec).commandLine();
        try {
            String fault = fault();
            if (fault == null) {
                say(command.getOut(), proven());
                return 0;
            }
            say(command.getErr(), "Not proven: " + fault);
        } catch (IOException unreadable) {
            throw new CommandLine.ParameterException(command, "A file cannot be read: " + unreadable.getMessage());
        }
        return NOT_PROVEN;
    }

    private static void say(PrintWriter where, String sentence) {
        where.println(sentence);
        where.flush();
    }

    private @Nullable String fault() throws IOException {
        byte[] json = Files.readAllBytes(required(receiptFile));
        byte[] answer = answerFile == null ? null : Files.readAllBytes(answerFile);
        byte[] request = requestFile == null ? null : Files.readAllBytes(requestFile);
        String trusted = publicKeyFile == null ? null : Files.readString(publicKeyFile, StandardCharsets.ISO_8859_1);
        List<byte[]> pages = new ArrayList<>();
        for (Path file : ledgerFiles) {
            pages.add(Files.readAllBytes(file));
        }
        try {
            Receipt receipt = ReceiptJson.receipt(json);
            ReceiptProof proof = new ReceiptProof(receipt);
            String fault = proof.fault(trusted);
            if (fault == null && answer != null) {
                fault = proof.faultOfAnswer(answer);
            }
            if (fault == null && request != null) {
                fault = proof.faultOfRequest(request);
            }
            return fault == null && !pages.isEmpty() ? proof.faultOfLedger(entries(pages)) : fault;
        } catch (IllegalArgumentException unreadable) {
            return "a file is not as the service sent it: " + unreadable.getMessage() + ".";
        }
    }

    private static List<LedgerEntry> entries(List<byte[]> pages) {
        List<LedgerEntry> entries = new ArrayList<>();
        pages.forEach(page -> entries.addAll(ReceiptJson.page(page)));
        return entries;
    }

    private String proven() {
        List<String> parts = new ArrayList<>(List.of("the receipt"));
        if (answerFile != null) {
            parts.add("the answer");
        }
        if (requestFile != null) {
            parts.add("the request");
        }
        if (!ledgerFiles.isEmpty()) {
            parts.add("the ledger");
        }
        return "Proven: " + String.join(", ", parts)
                + (publicKeyFile == null ? "; signed with the key in the receipt, which is not verified." : ".");
    }

    /** Picocli sets the required options before the call. */
    private static <T> T required(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("an argument that the library requires");
        }
        return value;
    }
}
