package dev.purser.access;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A key that an administrator requests.
 *
 * @param expiresAt in whole milliseconds, after the moment it was read
 * @param replaces the id of the key of the same name that this one replaces
 * @param identity whose tokens take the place of a secret; empty for a key with a secret
 */
public record NewKey(
        String name,
        Role role,
        Grants datasets,
        Grants collections,
        Optional<Instant> expiresAt,
        Optional<String> replaces,
        Optional<Identity> identity) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9._-]{0,62}");
    private static final String NAME_FORM =
            "a lower-case letter and up to 62 lower-case letters, digits, dots, underscores or hyphens";
    private static final Pattern GRANT = Pattern.compile("\\*|[a-z][a-z0-9-]{0,62}");
    private static final String GRANT_FORM =
            "a lower-case letter and up to 62 lower-case letters, digits or hyphens, or \"*\"";

    private static final FieldType.ObjectOf IDENTITY = new FieldType.ObjectOf(
            "KeyIdentity",
            "Somebody who signs in with tokens of the service's issuer (purser.identity.issuer).",
            List.of(Field.required(
                            "subject",
                            new FieldType.Text(Identity.SUBJECT),
                            "The claim `sub` of the tokens: 1 to 255 visible ASCII characters. It has one key for"
                                    + " ever.")
                    .withExample("248289761001")));

    /** The body as the API describes it. */
    public static final FieldType.ObjectOf FORM = new FieldType.ObjectOf(
            "KeyCreation",
            "",
            List.of(
                    Field.required(
                                    "name",
                                    new FieldType.Text(NAME),
                                    "The principal, and the ledger's `analyst`. Unique for ever; `admin` is taken.")
                            .withExample("ana"),
                    Field.required(
                                    "role",
                                    FieldType.Choice.of(Role.values()),
                                    "`administrator`: everything. `custodian`: registers, uploads, sets budgets, asks"
                                            + " no questions. `analyst`: quotes and asks. `viewer`: reads what costs"
                                            + " nothing. `auditor`: reads ledgers. `collector`: sends reports."
                                            + " `operator`: reads health and metrics.")
                            .withExample("analyst"),
                    Field.optional(
                                    "datasets",
                                    new FieldType.ListOf(FieldType.TEXT),
                                    "The datasets granted: at most 1000 ids, which need not exist yet, or `[\"*\"]` for"
                                            + " all, present and future. None by default. A custodian sees what it"
                                            + " registered without a grant.")
                            .withExample(List.of("adult")),
                    Field.optional(
                                    "collections",
                                    new FieldType.ListOf(FieldType.TEXT),
                                    "The collections granted, in the same form. None by default.")
                            .withExample(List.of()),
                    Field.optional(
                            "expiresAt",
                            new FieldType.Plain(Instant.class),
                            "When the key expires: an instant in the future, RFC 3339. Never by default."),
                    Field.optional(
                            "replaces",
                            new FieldType.Text(KeyToken.KEY_ID),
                            "The id of the last key of the same name, which is revoked at the same moment."),
                    Field.optional(
                            "identity",
                            IDENTITY,
                            "Whose tokens take the place of a secret. The reply then has no key.")));

    /** An example. */
    public static final String ANA = """
            {"name": "ana", "role": "analyst", "datasets": ["visits"]}""";

    /**
     * Reads the body of a request; {@code expiresAt} must be after {@code now}.
     *
     * @param issuer whose tokens sign in; empty if none do
     */
    public static Optional<NewKey> read(ObjectReader in, Instant now, String issuer) {
        Optional<String> name = in.required("name").string(NAME, NAME_FORM);
        Optional<Role> role = in.required("role").label(Role.values(), Role::label);
        Optional<Grants> datasets = grants(in, "datasets");
        Optional<Grants> collections = grants(in, "collections");
        Optional<Instant> expiresAt = in.optional("expiresAt").future(now);
        Optional<String> replaces =
                in.optional("replaces").string(KeyToken.KEY_ID, "the id of a key, as GET /v1/keys lists it");
        Optional<Identity> identity = in.optional("identity").object(each -> identity(each, issuer));
        if (in.has("identity") && issuer.isEmpty()) {
            in.refuse(
                    "identity",
                    "identity needs an issuer, and this service has none: the operator sets purser.identity.issuer");
        }
        return in.complete(() -> new NewKey(
                name.orElseThrow(),
                role.orElseThrow(),
                datasets.orElse(Grants.NONE),
                collections.orElse(Grants.NONE),
                expiresAt,
                replaces,
                identity));
    }

    private static Optional<Identity> identity(ObjectReader in, String issuer) {
        Optional<String> subject = in.required("subject").string(Identity.SUBJECT, "1 to 255 visible ASCII characters");
        return in.complete(() -> new Identity(issuer, subject.orElseThrow()));
    }

    static Optional<Grants> grants(ObjectReader in, String name) {
        return in.optional(name)
                .list(0, Grants.MAX_IDS, id -> id.string(GRANT, GRANT_FORM))
                .filter(listed -> {
                    boolean clear = listed.size() < 2 || !listed.contains(Grants.EVERYTHING);
                    if (!clear) {
                        in.refuse(name, name + " must be ids, or \"*\" alone: \"*\" was sent beside others");
                    }
                    return clear;
                })
                .map(Grants::ofListed);
    }
}
