package dev.purser.access;

import dev.purser.json.Field;
import dev.purser.json.FieldType;
import dev.purser.json.ObjectReader;
import dev.purser.json.Shape;
import dev.purser.json.ValueReader;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A key that an administrator requests.
 *
 * @param expiresAt the end of validity, in whole milliseconds, after the moment at which it was read
 * @param replaces the id of the key of the same name that this key replaces
 * @param identity the identity whose tokens take the place of a secret; empty for a key with a secret
 */
public record NewKey(
        String name,
        Role role,
        Grants datasets,
        Grants collections,
        Optional<Instant> expiresAt,
        Optional<String> replaces,
        Optional<Identity> identity) {
    private static final Pattern FORM_OF_NAME = Pattern.compile("[a-z][a-z0-9._-]{0,62}");
    private static final String NAME_FORM =
            "a lower-case letter and up to 62 lower-case letters, digits, dots, underscores or hyphens";
    private static final Pattern GRANT = Pattern.compile("\\*|[a-z][a-z0-9-]{0,62}");
    private static final String GRANT_FORM =
            "a lower-case letter and up to 62 lower-case letters, digits or hyphens, or \"*\"";

    private static final FieldType<Grants> GRANTS = FieldType.listOf(
                    FieldType.text(GRANT, GRANT_FORM), 0, Grants.MAX_IDS)
            .then(NewKey::grants);

    private static final Field<String> SUBJECT = Field.required(
            "subject",
            FieldType.text(Identity.SUBJECT, "1 to 255 visible ASCII characters"),
            "The claim `sub` of the tokens: 1 to 255 visible ASCII characters. It has one key for ever.",
            "248289761001");
    private static final Field<String> NAME = Field.required(
            "name",
            FieldType.text(FORM_OF_NAME, NAME_FORM),
            "The principal, and the ledger's `analyst`. Unique for ever; `admin` is taken.",
            "ana");
    private static final Field<Role> ROLE = Field.required(
            "role",
            FieldType.choice(Role.values()),
            "`administrator`: everything. `custodian`: registers, uploads, sets budgets, asks no questions. `analyst`:"
                    + " quotes and asks. `viewer`: reads what costs nothing. `auditor`: reads ledgers. `collector`:"
                    + " sends reports. `operator`: reads health and metrics.",
            "analyst");
    static final Field<Grants> DATASETS = Field.optional(
            "datasets",
            GRANTS,
            "The datasets granted: at most 1000 ids, which need not exist yet, or `[\"*\"]` for all, present and"
                    + " future. None by default. A custodian sees what it registered without a grant.",
            List.of("adult"));
    static final Field<Grants> COLLECTIONS = Field.optional(
            "collections", GRANTS, "The collections granted, in the same form. None by default.", List.of());
    static final Field<ValueReader> EXPIRES_AT = Field.optional(
            "expiresAt",
            FieldType.INSTANT,
            "When the key expires: an instant in the future, RFC 3339. Never by default.");
    private static final Field<String> REPLACES = Field.optional(
            "replaces",
            FieldType.text(KeyToken.KEY_ID, "the id of a key, as GET /v1/keys lists it"),
            "The id of the last key of the same name, which is revoked at the same moment.");
    private static final Field<ObjectReader> IDENTITY = Field.optional(
            "identity",
            FieldType.object(new Shape.ObjectOf(
                    "KeyIdentity",
                    "Somebody who signs in with tokens of the service's issuer (purser.identity.issuer).",
                    List.of(SUBJECT))),
            "Whose tokens take the place of a secret. The reply then has no key.");

    /** The body as the API describes it. */
    public static final Shape.ObjectOf FORM =
            new Shape.ObjectOf("KeyCreation", NAME, ROLE, DATASETS, COLLECTIONS, EXPIRES_AT, REPLACES, IDENTITY);

    /** An example. */
    public static final String ANA = """
            {"name": "ana", "role": "analyst", "datasets": ["visits"]}""";

    /**
     * Reads the body of a request; {@code expiresAt} must be after {@code now}.
     *
     * @param issuer the issuer whose tokens sign in; empty if there is none
     */
    public static Optional<NewKey> read(ObjectReader in, Instant now, String issuer) {
        Optional<String> name = in.read(NAME);
        Optional<Role> role = in.read(ROLE);
        Optional<Grants> datasets = in.read(DATASETS);
        Optional<Grants> collections = in.read(COLLECTIONS);
        Optional<Instant> expiresAt = in.read(EXPIRES_AT).flatMap(sent -> sent.future(now));
        Optional<String> replaces = in.read(REPLACES);
        Optional<Identity> identity = in.read(IDENTITY).flatMap(each -> identity(each, issuer));
        if (in.has(IDENTITY) && issuer.isEmpty()) {
            in.refuse(
                    IDENTITY,
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
        Optional<String> subject = in.read(SUBJECT);
        return in.complete(() -> new Identity(issuer, subject.orElseThrow()));
    }

    private static Optional<Grants> grants(ValueReader sent, List<String> listed) {
        return listed.size() < 2 || !listed.contains(Grants.EVERYTHING)
                ? Optional.of(Grants.ofListed(listed))
                : sent.refused("must be ids, or \"*\" alone: \"*\" was sent beside others");
    }
}
