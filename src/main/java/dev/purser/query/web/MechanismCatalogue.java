package dev.purser.query.web;

import dev.purser.http.Page;
import dev.purser.mechanism.Mechanisms;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The list of mechanisms that can release data, and of methods that are not served. */
@Schema(name = "MechanismCatalogue", description = "Everything that can release data, and what is not served and why.")
record MechanismCatalogue(
        @Schema(description = "At most `limit` of them.") List<Item> items,

        @Schema(description = "What to send as `after` for the next part; null at the end.") @Nullable
        String next,

        @Schema(description = "Known methods that are not as private as they claim.")
        List<UnservedMethod> notOffered) {
    static MechanismCatalogue of(Page<Item> mechanisms) {
        return new MechanismCatalogue(
                mechanisms.items(),
                mechanisms.next(),
                Mechanisms.NOT_OFFERED.stream()
                        .map(each -> new UnservedMethod(each.name(), each.why()))
                        .toList());
    }

    /** One mechanism. */
    @Schema(name = "MechanismListing", description = "A mechanism that can release data.")
    record Item(
            @Schema(description = "The name in answers.", example = "laplace-count")
            String name,

            @Schema(description = "What it releases and its guarantee.")
            String claim,

            @Schema(
                    description = "The neighbouring relations it is private under.",
                    example = "add-or-remove-one; replace-one")
            String relation,

            @Schema(description = "What it depends on, besides the data.")
            List<Parameter> parameters,

            @Schema(example = "discrete-laplace") String noise,

            @Schema(description = "How `accuracy.alpha` is found.")
            String accuracy,

            @Schema(description = "Where it comes from.") String reference) {
        static Item of(Mechanisms.Listing listing) {
            return new Item(
                    listing.name(),
                    listing.claim(),
                    listing.relation(),
                    listing.parameters().stream()
                            .map(each -> new Parameter(each.name(), each.range()))
                            .toList(),
                    listing.noise(),
                    listing.accuracy(),
                    listing.reference());
        }
    }

    /** One parameter. */
    @Schema(name = "MechanismParameter", description = "A parameter of a question and its range.")
    record Parameter(
            @Schema(example = "epsilon") String name,
            @Schema(example = "0.000001 to 100") String range) {}

    /** One method that is not served. */
    @Schema(name = "UnservedMethod", description = "A method that is not served.")
    record UnservedMethod(
            @Schema(example = "resampling-mean") String name,

            @Schema(description = "A counterexample to its claim.")
            String why) {}
}
