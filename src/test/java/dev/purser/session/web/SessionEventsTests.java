package dev.purser.session.web;

import dev.purser.http.ServiceStop;
import dev.purser.problem.ProblemException;
import dev.purser.problem.ProblemType;
import dev.purser.session.Interaction;
import dev.purser.session.OpenInteractions;
import dev.purser.session.OpenSessions;
import dev.purser.store.Database;
import dev.purser.store.PurserHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.StaticApplicationContext;
import org.springframework.mock.web.MockHttpServletResponse;

import static dev.purser.store.Awaited.awaitThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SessionEventsTests {
    /** A threshold so far below the count that the count is found above, except once in e^1000 times. */
    private static final String DECLARATION = """
                    {"epsilon":"0.01","threshold":-1000000,"maxPositives":1,"queries":"counts"}""";

    /** The id of an event that the reader claims to have, so that no outcome is sent. */
    private static final long FAR = 999;

    @TempDir
    Path home;

    @AutoClose
    private Database database;

    private OpenSessions open;
    private Interaction session;

    @BeforeEach
    void openASession() {
        database = new Database(new PurserHome(home));
        open = new OpenSessions(database, OpenSessions.EMPTY);
        open.open.withAccount(OpenInteractions.ACCOUNT, "1");
        String id = open.open("k", OpenSessions.bytes(DECLARATION)).sessionId();
        session = open.named(id);
    }

    private void stream(long after, MockHttpServletResponse response) throws IOException {
        new SessionEvents(open.sessions, session, new ServiceStop(), () -> {}).stream(after, response);
    }

    @Test
    void sendsEachOutcomeAndWhyTheSessionWasClosed() throws IOException {
        String outcome =
                new String(open.ask(session.id(), OpenSessions.count(1)).body(), StandardCharsets.UTF_8);
        MockHttpServletResponse all = new MockHttpServletResponse();
        MockHttpServletResponse rest = new MockHttpServletResponse();

        stream(0, all);
        stream(1, rest);

        String closed = "event: closed\ndata: {\"closedBecause\":\"positives\"}\n\n";
        assertThat(all.getContentAsString())
                .isEqualTo("retry: 1000\n\nid: 1\nevent: outcome\ndata: " + outcome + "\n\n" + closed);
        assertThat(rest.getContentAsString()).isEqualTo("retry: 1000\n\n" + closed);
    }

    @Test
    void endsAStreamWithinAHundredOutcomesOfARevocation() throws IOException {
        String id = open.open("long", OpenSessions.bytes(DECLARATION.replace("-1000000", "1000000")))
                .sessionId();
        for (int sequence = 1; sequence <= 120; sequence++) {
            open.ask(id, OpenSessions.count(sequence));
        }
        Interaction asked = open.named(id);
        Runnable revoked = () -> {
            throw ProblemException.of(ProblemType.UNAUTHORIZED, "the key was revoked");
        };
        MockHttpServletResponse response = new MockHttpServletResponse();

        new SessionEvents(open.sessions, asked, new ServiceStop(), revoked).stream(0, response);

        assertThat(response.getContentAsString()).contains("id: 100\n").doesNotContain("id: 101\n");
    }

    /** Without this, the stop would wait for the reader, as long as the reader's stream may last. */
    @Test
    @Timeout(20)
    void endsWhenTheServiceStops() throws Exception {
        ServiceStop stop = new ServiceStop();
        MockHttpServletResponse response = new MockHttpServletResponse();
        Thread reader = Thread.ofVirtual().start(() -> {
            try {
                new SessionEvents(open.sessions, session, stop, () -> {}).stream(0, response);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        });
        awaitThat(() -> new String(response.getContentAsByteArray(), UTF_8).contains(": open"));

        stop.onApplicationEvent(new ContextClosedEvent(new StaticApplicationContext()));

        reader.join();
    }

    /** Otherwise a lost commit would show its outcome, and the question would be answered again with other noise. */
    @Test
    void doesNotSayWhyASessionWasClosedBeforeThatIsConfirmed() throws IOException {
        database.witness(heads -> {
            throw new IOException("no room for the anchor");
        });
        assertThatThrownBy(() -> open.ask(session.id(), OpenSessions.count(1))).isInstanceOf(ProblemException.class);
        assertThat(open.named(session.id()).isOpen()).isFalse();
        MockHttpServletResponse response = new MockHttpServletResponse();

        assertThatThrownBy(() -> stream(FAR, response)).isInstanceOf(ProblemException.class);

        assertThat(response.getContentAsString()).doesNotContain("positives");
        database.witness(heads -> {});
        MockHttpServletResponse later = new MockHttpServletResponse();
        stream(FAR, later);
        assertThat(later.getContentAsString()).contains("\"positives\"");
    }
}
