package dev.purser.synopsis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.purser.ledger.proof.Receipt;
import dev.purser.query.AggregateKey;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A table of a synopsis, with all that is needed to publish it. */
@Schema(name = "SynopsisTableView", description = "A table of a synopsis, with what its readers have to know of it.")
public record TableView(
        SynopsisView synopsis,

        @Schema(example = "[\"age\"]") List<String> columns,

        @Schema(description = "The probability with which a number may be outside its interval.", example = "0.05")
        BigDecimal beta,

        @Schema(description = "What the numbers are, in words.")
        String statement,

        @Schema(description = "The signed receipts of the purchases, in their order.")
        List<Receipt> receipts,

        @Schema(description = "All cells, those of the last column fastest.")
        List<FreeAnswer.Cell> cells,

        @JsonIgnore List<AggregateKey> keys) {
    /** The names of the columns in CSV. A name that another column has already gets a number. */
    public List<String> headers() {
        String number = synopsis.measure() == null ? "count" : "sum";
        List<String> headers = new ArrayList<>();
        Stream.concat(
                        keys.stream().flatMap(key -> key.headers().stream()),
                        Stream.of(number, number + ".low", number + ".high"))
                .forEach(name -> {
                    String unused = name;
                    for (int i = 2; headers.contains(unused); i++) {
                        unused = name + "." + i;
                    }
                    headers.add(unused);
                });
        return headers;
    }
}
