package dev.purser.admission;

import dev.purser.json.RequestLimits;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.AbstractProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Connections that never complete a header, from addresses of this machine, to a container without an application. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class LimitedConnectorTests {
    private static final String SLOW = "127.0.0.2";
    private static final String SLOW_TOO = "127.0.0.3";
    private static final String HONEST = "127.0.0.1";
    private static final int SHORT_MILLIS = 500;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private int port;
    private Tomcat tomcat = new Tomcat();

    @Import(ConnectorConfiguration.class)
    @ImportAutoConfiguration(TomcatServletWebServerAutoConfiguration.class)
    @EnableConfigurationProperties(RequestLimits.class)
    static class Container {}

    private Connector start(String... settings) {
        ServletWebServerApplicationContext context =
                (ServletWebServerApplicationContext) new SpringApplicationBuilder(Container.class)
                        .properties("server.port=0")
                        .run(settings);
        opened.add(context);
        TomcatWebServer server = (TomcatWebServer) Objects.requireNonNull(context.getWebServer());
        port = server.getPort();
        tomcat = server.getTomcat();
        return tomcat.getConnector();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened.reversed()) {
            each.close();
        }
    }

    private Socket connection(String from, String text) throws IOException {
        Socket socket = new Socket();
        opened.add(socket);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(HONEST, port));
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private List<Socket> slow(int connections, String from) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            sockets.add(connection(from, "GET / HTTP/1.1\r\nX: "));
        }
        return sockets;
    }

    private Socket request(String from) throws IOException {
        return connection(from, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    }

    /** Waits for the answer. If there is none, the connection was closed. */
    private static boolean isAnswered(Socket socket) throws IOException {
        try {
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).matches("(?s)(HTTP/1.1 404 .*)?");
            return !answer.isEmpty();
        } catch (SocketException reset) {
            // The container closed the connection and did not read what was sent.
            return false;
        }
    }

    private static void assertAnswered(Socket socket) throws IOException {
        assertThat(isAnswered(socket)).isTrue();
    }

    private static void assertClosed(Socket socket) throws IOException {
        assertThat(isAnswered(socket)).isFalse();
    }

    private static void assertOpen(Socket socket) throws IOException {
        socket.setSoTimeout(SHORT_MILLIS);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(0);
    }

    @Test
    void oneAddressHasHalfOfTheConnections() throws IOException {
        start("--server.tomcat.max-connections=8");
        List<Socket> slow = slow(20, SLOW);

        for (Socket refused : slow.subList(4, 20)) {
            assertClosed(refused);
        }
        assertAnswered(request(HONEST));
        for (Socket accepted : slow.subList(0, 4)) {
            assertOpen(accepted);
        }
    }

    @Test
    void whatIsClosedMakesRoomForItsAddress() throws IOException {
        start("--server.tomcat.max-connections=8");
        List<Socket> slow = slow(4, SLOW);
        assertClosed(request(SLOW));

        slow.getFirst().close();
        while (!isAnswered(request(SLOW))) {
            // The container has not seen yet that the connection was closed.
            Thread.onSpinWait();
        }
    }

    /** A refused connection takes no place, and it frees no place when it ends. */
    @Test
    void furtherConnectionsWaitUntilOneIsClosed() throws IOException {
        start("--server.tomcat.max-connections=8");
        List<Socket> slow = slow(7, SLOW);
        assertClosed(slow.getLast());
        slow(4, SLOW_TOO);

        Socket waiting = request(HONEST);
        assertOpen(waiting);

        slow.getFirst().close();
        assertAnswered(waiting);
    }

    @Test
    @Timeout(10)
    void aHalfSentBodyDoesNotHoldTheStop() throws Exception {
        Connector connector = start();
        CountDownLatch reading = new CountDownLatch(1);
        Context root = (Context) tomcat.getHost().findChildren()[0];
        Tomcat.addServlet(root, "reader", new HttpServlet() {
            @Override
            protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
                reading.countDown();
                request.getInputStream().readAllBytes();
            }
        });
        root.addServletMappingDecoded("/read", "reader");
        Socket half = connection(HONEST, "POST /read HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");
        reading.await();

        connector.pause();
        connector.getProtocolHandler().closeServerSocketGraceful();

        assertThat(half.getInputStream().readAllBytes()).asString().startsWith("HTTP/1.1 ");
    }

    @Test
    void aConfiguredNumberHolds() throws IOException {
        start("--server.tomcat.max-connections=8", "--purser.requests.max-connections-per-address=6");
        List<Socket> slow = slow(7, SLOW);

        assertClosed(slow.getLast());
        for (Socket accepted : slow.subList(0, 6)) {
            assertOpen(accepted);
        }
    }

    @Test
    void oneConnectionIsOneOfItsAddress() throws IOException {
        start("--server.tomcat.max-connections=1");

        assertAnswered(request(HONEST));
    }

    /** All connections together take the share of the heap that docs/operating.md states. */
    @Test
    void allTakeASixteenthOfTheHeap() {
        LimitedConnector connector = new LimitedConnector();
        connector.limit(256L << 20, 0);
        assertThat(connector.getMaxConnections()).isEqualTo(256);

        long fitting = Runtime.getRuntime().maxMemory() / 16 / (64 << 10);
        assertThat(((AbstractProtocol<?>) start().getProtocolHandler()).getMaxConnections())
                .isEqualTo((int) Math.min(fitting, 8_192));
    }

    @Test
    void aNegativeNumberIsRefusedAtTheStart(CapturedOutput output) {
        assertThatThrownBy(() -> start("--purser.requests.max-connections-per-address=-1"))
                .isInstanceOf(RuntimeException.class);
        assertThat(output)
                .contains("purser.requests.max-connections-per-address must be greater than or equal to 0, was -1.");
    }
}
