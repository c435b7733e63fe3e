package dev.purser.web;

import dev.purser.PurserApplication;
import dev.purser.store.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

import static dev.purser.store.Awaited.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

/** The whole service with certificates that are made here, asked by curl as the README does. */
@Tag("full")
@ExtendWith(OutputCaptureExtension.class)
class TlsTests {
    /** The exit status of curl for a certificate that is not trusted. */
    private static final int NOT_TRUSTED = 60;

    @TempDir
    private Path folder;

    private int port;

    @Test
    void theCertificateIsReplacedWhileTheServiceRuns(CapturedOutput log) throws Exception {
        TestCertificate first = TestCertificate.make(folder, "ip:127.0.0.1");
        TestCertificate second = TestCertificate.make(folder, "ip:127.0.0.1");
        Path one = Files.writeString(folder.resolve("one.pem"), first.chain());
        Path two = Files.writeString(folder.resolve("two.pem"), second.chain());
        first.writeTo(folder);
        try (ConfigurableApplicationContext service = started()) {
            port = Objects.requireNonNull(service.getEnvironment().getProperty("local.server.port", Integer.class));
            assertThat(log.getAll())
                    .contains("Listening on https://127.0.0.1:" + port)
                    .contains("Documentation: https://127.0.0.1:" + port + "/docs");
            assertThat(curl(one)).isZero();
            assertThat(curl(two)).isEqualTo(NOT_TRUSTED);
            assertThat(answerToPlainHttp()).startsWith("HTTP/1.1 400").contains("requires TLS");

            second.writeTo(folder);
            awaitThat(() -> curl(two) == 0);
            assertThat(curl(one)).isEqualTo(NOT_TRUSTED);
        }
    }

    private ConfigurableApplicationContext started() {
        return new SpringApplication(PurserApplication.class)
                .run(
                        "--purser.home=" + folder.resolve("home"),
                        "--server.port=0",
                        "--server.ssl.bundle=web",
                        "--spring.ssl.bundle.pem.web.keystore.certificate=" + folder.resolve(TestCertificate.CHAIN),
                        "--spring.ssl.bundle.pem.web.keystore.private-key=" + folder.resolve(TestCertificate.KEY),
                        "--spring.ssl.bundle.pem.web.reload-on-update=true",
                        "--spring.ssl.bundle.watch.file.quiet-period=200ms");
    }

    /** The exit status of curl. */
    private int curl(Path trusted) {
        try {
            return new ProcessBuilder(
                            "curl",
                            "-sS",
                            "--fail-with-body",
                            "--cacert",
                            trusted.toString(),
                            "https://127.0.0.1:" + port + "/actuator/health")
                    .redirectErrorStream(true)
                    // The output goes to no file of this folder: a change in the folder begins the quiet period again.
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }

    private String answerToPlainHttp() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
