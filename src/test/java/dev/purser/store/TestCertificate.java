package dev.purser.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * A key and a certificate that it signed itself, made for a test by the {@code keytool} of this Java. A client that
 * trusts the certificate trusts no other certificate with it.
 *
 * @param chain the certificate, as PEM
 * @param key the private key, as PEM
 */
public record TestCertificate(String chain, String key) {
    /** The file of the certificate. */
    public static final String CHAIN = "certificate.pem";

    /** The file of its key. */
    public static final String KEY = "private-key.pem";

    private static final String ALIAS = "test";
    private static final char[] PASSWORD = "made-for-a-test".toCharArray();

    /**
     * @param folder an existing folder
     * @param names the names in the certificate, such as {@code ip:127.0.0.1}
     */
    public static TestCertificate make(Path folder, String names) throws Exception {
        Path store = Files.createTempDirectory(folder, "made").resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=purser test",
                        "-ext",
                        "san=" + names,
                        "-ext",
                        "bc:c",
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IOException("keytool failed: " + said);
        }
        return read(store);
    }

    private static TestCertificate read(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream content = Files.newInputStream(file)) {
            store.load(content, PASSWORD);
        }
        return new TestCertificate(
                pem("CERTIFICATE", store.getCertificate(ALIAS).getEncoded()),
                pem("PRIVATE KEY", store.getKey(ALIAS, PASSWORD).getEncoded()));
    }

    private static String pem(String type, byte[] content) {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n".formatted(type, lines);
    }

    /** Writes the key first, so that a service that watches the certificate finds both. */
    public void writeTo(Path folder) throws IOException {
        Files.writeString(folder.resolve(KEY), key);
        Files.writeString(folder.resolve(CHAIN), chain);
    }
}
