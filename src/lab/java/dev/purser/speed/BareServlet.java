package dev.purser.speed;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The baseline: a servlet on the same connector with the same virtual threads, which reads a JSON body and writes a
 * JSON answer, and does nothing else. Arguments: a port and a folder.
 */
final class BareServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    static final Load.Request REQUEST = Load.Request.of("POST", "/", "none", """
            {"epsilon":"0.0001"}""");

    private final transient JsonMapper json = new JsonMapper();

    public static void main(String[] arguments) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Path.of(arguments[1]).toString());
        Connector connector = new Connector();
        connector.setPort(Integer.parseInt(arguments[0]));
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxKeepAliveRequests", "10000");
        connector.getProtocolHandler().setExecutor(new VirtualThreadExecutor("bare-"));
        tomcat.setConnector(connector);
        var context = tomcat.addContext("", Path.of(arguments[1]).toString());
        Tomcat.addServlet(context, "bare", new BareServlet());
        context.addServletMappingDecoded("/*", "bare");
        tomcat.start();
        tomcat.getServer().await();
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        JsonNode body = json.readTree(request.getInputStream());
        byte[] answer =
                json.writeValueAsBytes(json.createObjectNode().put("count", 1).set("question", body));
        response.setContentType("application/json");
        response.setContentLength(answer.length);
        response.getOutputStream().write(answer);
    }

    /** The servlet in a process of its own. */
    static final class Running implements AutoCloseable {
        private static final int ATTEMPTS = 200;
        private static final int BETWEEN_MILLIS = 100;

        private final Process process;
        private final Load load;

        /** @param flags of Java */
        Running(Path folder, List<String> flags) throws IOException, InterruptedException {
            int port;
            try (ServerSocket free = new ServerSocket(0)) {
                port = free.getLocalPort();
            }
            List<String> command = new ArrayList<>();
            command.add(ProcessHandle.current().info().command().orElseThrow());
            command.addAll(flags);
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), BareServlet.class.getName()));
            command.addAll(List.of(String.valueOf(port), folder.toString()));
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("bare.log").toFile())
                    .start();
            load = new Load(process.toHandle(), port);
            awaitAnswer(port);
        }

        private void awaitAnswer(int port) throws IOException, InterruptedException {
            for (int attempt = 1; ; attempt++) {
                try (Load.Connection connection = new Load.Connection(port)) {
                    connection.exchange(REQUEST);
                    return;
                } catch (IOException notYet) {
                    if (attempt == ATTEMPTS) {
                        close();
                        throw notYet;
                    }
                    Thread.sleep(BETWEEN_MILLIS);
                }
            }
        }

        Load load() {
            return load;
        }

        @Override
        public void close() {
            process.destroy();
        }
    }
}
