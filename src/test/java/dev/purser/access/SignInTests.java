package dev.purser.access;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.purser.problem.ProblemException;
import dev.purser.web.RunningService;
import dev.purser.web.TestIssuer;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

import static dev.purser.json.JsonText.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Tokens of a real identity provider, and everything that looks like one. */
class SignInTests extends RunningService {
    private static final String COUNT = quoted("{'epsilon':'100'}");

    private Instant now = Instant.now();
    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);

    @AfterEach
    void up() {
        TestIssuer.setDown(false);
    }

    private static IdentitySettings settings(String issuer, String audience) {
        return new IdentitySettings(issuer, audience, List.of("RS256", "ES256"));
    }

    private IdentityTokens tokens() {
        return new IdentityTokens(settings(TestIssuer.address(), TestIssuer.AUDIENCE), clock);
    }

    private JsonNode keyOfIdentity(String name, String subject, String datasets) throws Exception {
        return json(assertStatus(201, makeKey(name, "analyst", datasets, ",'identity':{'subject':'" + subject + "'}")));
    }

    @Test
    void aTokenAsksUnderTheNameOfItsKeyUntilTheKeyIsRevoked() throws Exception {
        String custodian = keyFor("custodian", "[]");
        String id = newId();
        assertStatus(201, postAs(custodian, "/v1/datasets", registration(id, COLUMNS, "200", "replace-one", "")));
        assertStatus(200, uploadAs(custodian, id, "age,hours,sex,of\n1,1,Male," + id + "\n"));
        String name = newName();
        String subject = "person-" + name;
        String token = TestIssuer.tokenOf(subject);
        assertProblem(401, "unauthorized", getAs(token, "/v1/keys/self"));

        JsonNode key = keyOfIdentity(name, subject, "['" + id + "']");
        assertThat(key.get("key").isNull()).isTrue();
        String keyId = key.get("keyId").asString();
        assertThat(json(getAs(token, "/v1/keys/self")).get("name").asString()).isEqualTo(name);
        assertStatus(200, postAs(token, "/v1/datasets/" + id + "/queries/count", COUNT));
        JsonNode entries = shownTo(custodian, "/v1/datasets/" + id + "/ledger?order=desc");
        assertThat(entries.get("items").get(0).get("analyst").asString()).isEqualTo(name);

        assertProblem(
                409,
                "already-exists",
                makeKey(newName(), "administrator", "[]", ",'identity':{'subject':'" + subject + "'}"));
        assertStatus(204, send("DELETE", "/v1/keys/" + keyId, BodyPublishers.noBody()));
        assertProblem(401, "unauthorized", postAs(token, "/v1/datasets/" + id + "/queries/count", COUNT));
        assertProblem(
                409,
                "already-exists",
                makeKey(newName(), "analyst", "[]", ",'identity':{'subject':'" + subject + "'}"));
    }

    private static JWTClaimsSet.Builder claims(String subject) {
        Date soon = Date.from(Instant.now().plus(Duration.ofMinutes(5)));
        return new JWTClaimsSet.Builder()
                .issuer(TestIssuer.address())
                .subject(subject)
                .audience(TestIssuer.AUDIENCE)
                .expirationTime(soon);
    }

    private static String signed(JWSHeader.Builder header, JWTClaimsSet claims, JWSSigner signer) throws Exception {
        SignedJWT token = new SignedJWT(header.build(), claims);
        token.sign(signer);
        return token.serialize();
    }

    private static JWSHeader.Builder header(JWSAlgorithm algorithm) {
        return new JWSHeader.Builder(algorithm).keyID(TestIssuer.signingKey().getKeyID());
    }

    private static String signed(JWTClaimsSet.Builder claims) throws Exception {
        RSAKey key = TestIssuer.signingKey();
        return signed(header(JWSAlgorithm.RS256), claims.build(), new RSASSASigner(key));
    }

    private static String changed(Consumer<JWTClaimsSet.Builder> change) throws Exception {
        JWTClaimsSet.Builder claims = claims("sue");
        change.accept(claims);
        return signed(claims);
    }

    private static Date in(Duration time) {
        return Date.from(Instant.now().plus(time));
    }

    @Test
    void onlyATokenOfTheIssuerForThisServiceAndForNowIsOne() throws Exception {
        TestIssuer.tokenOf("sue"); // starts the provider
        IdentityTokens tokens = tokens();
        RSAKey key = TestIssuer.signingKey();
        RSAKey other = new RSAKeyGenerator(2048).keyID(key.getKeyID()).generate();
        JWTClaimsSet claims = claims("sue").build();
        byte[] publicKey = key.toRSAPublicKey().getEncoded();
        Map<String, String> refused = new LinkedHashMap<>();
        refused.put("another audience", changed(each -> each.audience("another")));
        refused.put("no audience", changed(each -> each.audience((String) null)));
        refused.put("another issuer", changed(each -> each.issuer("http://localhost:1")));
        refused.put("an issuer with a slash", changed(each -> each.issuer(TestIssuer.address() + "/")));
        refused.put("no issuer", changed(each -> each.issuer(null)));
        refused.put("expired", changed(each -> each.expirationTime(in(Duration.ofMinutes(-2)))));
        refused.put("never expiring", changed(each -> each.expirationTime(null)));
        refused.put("not yet valid", changed(each -> each.notBeforeTime(in(Duration.ofMinutes(2)))));
        refused.put("no subject", changed(each -> each.subject(null)));
        refused.put("an empty subject", changed(each -> each.subject("")));
        refused.put("a subject with a blank", changed(each -> each.subject("sue of")));
        refused.put("a long subject", changed(each -> each.subject("s".repeat(256))));
        refused.put("no signature", new PlainJWT(claims).serialize());
        refused.put("an empty signature", signed(claims("sue")).replaceAll("[^.]+$", ""));
        refused.put("HS256 with the public key", signed(header(JWSAlgorithm.HS256), claims, new MACSigner(publicKey)));
        refused.put(
                "an algorithm that is not permitted",
                signed(header(JWSAlgorithm.RS384), claims, new RSASSASigner(key)));
        refused.put(
                "another key under the same id", signed(header(JWSAlgorithm.RS256), claims, new RSASSASigner(other)));
        refused.put(
                "a key that the token brings",
                signed(
                        new JWSHeader.Builder(JWSAlgorithm.RS256)
                                .keyID("brought")
                                .jwk(other.toPublicJWK()),
                        claims,
                        new RSASSASigner(other)));
        refused.put(
                "an address of keys that the token brings",
                signed(
                        header(JWSAlgorithm.RS256)
                                .jwkURL(URI.create("http://localhost:1/keys"))
                                .x509CertURL(URI.create("http://localhost:1/certificate")),
                        claims,
                        new RSASSASigner(other)));
        refused.put(
                "a condition that nobody knows",
                signed(
                        header(JWSAlgorithm.RS256)
                                .criticalParams(Set.of("unheard-of"))
                                .customParam("unheard-of", true),
                        claims,
                        new RSASSASigner(key)));
        refused.put(
                "a token that ends a session",
                signed(
                        header(JWSAlgorithm.RS256).type(new JOSEObjectType("logout+jwt")),
                        claims,
                        new RSASSASigner(key)));
        String good = signed(claims("sue"));
        refused.put(
                "other claims under the signature", good.replaceFirst("\\.[^.]+\\.", "." + part(claims("eve")) + "."));
        refused.put("another part", good + ".x");
        refused.put("a blank before it", " " + good);
        assertThat(tokens.identityOf(good)).hasValue(new Identity(TestIssuer.address(), "sue"));
        refused.forEach(
                (what, token) -> assertThat(tokens.identityOf(token)).as(what).isEmpty());
        for (String accepted : List.of(
                TestIssuer.tokenOf("sue"),
                changed(each -> each.audience(List.of("another", TestIssuer.AUDIENCE))),
                changed(each -> each.notBeforeTime(in(Duration.ofSeconds(20)))),
                changed(each -> each.claim("roles", List.of("administrator")).claim("scope", "admin")))) {
            assertThat(tokens.identityOf(accepted)).hasValue(new Identity(TestIssuer.address(), "sue"));
        }
        assertThat(new IdentityTokens(settings("", ""), clock).identityOf(good)).isEmpty();
    }

    private static String part(JWTClaimsSet.Builder claims) {
        return new PlainJWT(claims.build()).serialize().split("\\.")[1];
    }

    @Test
    void theIssuersKeysAreRenewedForUnknownOnesOnceAMinute() throws Exception {
        IdentityTokens tokens = tokens();
        String before = TestIssuer.tokenOf("sue");
        assertThat(tokens.identityOf(before)).isPresent();
        int fetches = TestIssuer.fetches();
        assertThat(tokens.identityOf(before)).isPresent();
        assertThat(TestIssuer.fetches()).isEqualTo(fetches);

        TestIssuer.rotate("second");
        String after = TestIssuer.tokenOf("sue");
        assertThat(tokens.identityOf(after)).isPresent();
        assertThat(tokens.identityOf(before)).isEmpty();
        assertThat(TestIssuer.fetches()).isEqualTo(fetches + 1);

        TestIssuer.rotate("third");
        String third = TestIssuer.tokenOf("sue");
        assertThat(tokens.identityOf(third)).isEmpty();
        assertThat(tokens.identityOf(after)).isPresent();
        assertThat(TestIssuer.fetches()).isEqualTo(fetches + 1);
        now = now.plus(Duration.ofSeconds(61));
        assertThat(tokens.identityOf(third)).isPresent();
        assertThat(TestIssuer.fetches()).isEqualTo(fetches + 2);
    }

    @Test
    void whileTheIssuerIsDownNoTokenIsJudgedUnlessItsKeyIsKnown() throws Exception {
        String known = TestIssuer.tokenOf("sue");
        IdentityTokens tokens = tokens();
        TestIssuer.setDown(true);
        unavailable(tokens, known);
        TestIssuer.setDown(false);
        unavailable(tokens, known); // the issuer is not asked again at once
        now = now.plus(Duration.ofSeconds(6));
        assertThat(tokens.identityOf(known)).isPresent();

        TestIssuer.setDown(true);
        assertThat(tokens.identityOf(known)).isPresent();
        String unknown = signed(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("unknown"),
                claims("sue").build(),
                new RSASSASigner(TestIssuer.signingKey()));
        unavailable(tokens, unknown);
        unavailable(tokens, unknown);
        assertThat(tokens.identityOf(known)).isPresent();
        now = now.plus(Duration.ofMinutes(6));
        unavailable(tokens, known);
    }

    private static void unavailable(IdentityTokens tokens, String token) {
        assertThatThrownBy(() -> tokens.identityOf(token))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.type().status()).isEqualTo(503));
    }

    /** Anybody can send such a token, so the log has a line of each attempt to reach the issuer, and says why. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void anUnreachableIssuerIsToldApartFromARefusedToken(CapturedOutput log) throws Exception {
        TestIssuer.tokenOf("sue");
        String unknown = signed(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("never-seen"),
                claims("sue").build(),
                new RSASSASigner(TestIssuer.signingKey()));
        TestIssuer.setDown(true);
        HttpResponse<String> reply = getAs(unknown, "/v1/keys/self");
        assertProblem(503, "temporarily-unavailable", reply);
        assertThat(reply.headers().firstValue("Retry-After")).hasValue("5");
        assertProblem(503, "temporarily-unavailable", getAs(unknown, "/v1/keys/self"));
        assertThat(log.getAll())
                .containsOnlyOnce("Nobody can sign in")
                .containsPattern("Nobody can sign in .* 503 ")
                .doesNotContain("threw exception");
        assertStatus(200, get("/v1/keys/self"));
    }

    @Test
    void anIdentityNeedsASubjectAndNothingElse() throws Exception {
        for (String identity :
                List.of("{}", "{'subject':''}", "{'subject':'a b'}", "{'subject':'s','issuer':'i'}", "5")) {
            assertProblem(422, "validation-failed", makeKey(newName(), "analyst", "[]", ",'identity':" + identity));
        }
    }

    @Test
    void aPageOfAnotherSiteChangesNothing() throws Exception {
        record Sent(
                int status,
                @Nullable String origin,
                @Nullable String site) {}
        String own = "http://127.0.0.1:" + port;
        List<Sent> all = List.of(
                new Sent(201, null, null),
                new Sent(201, null, "same-origin"),
                new Sent(201, null, "none"),
                new Sent(201, own, null),
                new Sent(201, own, "same-origin"),
                new Sent(403, null, "cross-site"),
                new Sent(403, null, "same-site"),
                new Sent(403, own, "cross-site"),
                new Sent(403, "https://evil.example", null),
                new Sent(403, "https://evil.example", "same-site"),
                new Sent(403, "null", null),
                new Sent(201, DASHBOARD, "cross-site"));
        for (Sent sent : all) {
            String[] headers = Map.of(
                            "Origin",
                            Optional.ofNullable(sent.origin()),
                            "Sec-Fetch-Site",
                            Optional.ofNullable(sent.site()))
                    .entrySet()
                    .stream()
                    .filter(each -> each.getValue().isPresent())
                    .flatMap(each -> java.util.stream.Stream.of(
                            each.getKey(), each.getValue().orElseThrow()))
                    .toArray(String[]::new);
            HttpResponse<String> reply =
                    postAs(key(), "/v1/keys", quoted("{'name':'" + newName() + "','role':'operator'}"), headers);
            assertThat(reply.statusCode()).as(sent.toString()).isEqualTo(sent.status());
        }
        assertStatus(200, getAs(key(), "/v1/keys?limit=1", "Sec-Fetch-Site", "cross-site"));
    }
}
