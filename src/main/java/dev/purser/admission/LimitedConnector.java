package dev.purser.admission;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioEndpoint;

/**
 * Tomcat's connector with limits of its connections. A connection that never completes its header costs the sender
 * nothing, and Tomcat waits for every further byte of it.
 *
 * <ul>
 * <li>All connections together take at most a sixteenth of the heap. Further ones wait to be accepted.
 * <li>One address has at most half of them. A further one is closed when it is accepted.
 * <li>When the service stops, a request whose body does not go on arriving has come to its end. Nothing is charged for
 * it yet, and the stop would wait for it.
 * </ul>
 */
public final class LimitedConnector extends Http11NioProtocol {
    /** What a connection takes until its header is complete: the buffers of header and socket, and what parses it. */
    private static final long BYTES = 64L << 10;

    private static final Duration SILENCE_AT_STOP = Duration.ofSeconds(1);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

    /** Made by Tomcat, by the name of the class. */
    public LimitedConnector() {
        super(new LimitedEndpoint());
    }

    /**
     * Limits the connections to what fits into the heap, and those of one address.
     *
     * @param perAddress how many one address may have; 0 for half of all
     */
    void limit(long heapBytes, int perAddress) {
        setMaxConnections((int) Math.min(heapBytes / 16 / BYTES, getMaxConnections()));
        ((LimitedEndpoint) getEndpoint()).perAddress =
                perAddress == 0 ? Math.ceilDiv(getMaxConnections(), 2) : perAddress;
    }

    @Override
    public void closeServerSocketGraceful() {
        super.closeServerSocketGraceful();
        Thread.ofVirtual().name("stop-of-half-sent").start(((LimitedEndpoint) getEndpoint())::endHalfSent);
    }

    private static final class LimitedEndpoint extends NioEndpoint {
        private int perAddress;

        @Override
        protected boolean setSocketOptions(SocketChannel connection) {
            if (isOneTooMany(connection.socket().getInetAddress())) {
                destroySocket(connection);
                return false;
            }
            return super.setSocketOptions(connection);
        }

        // A request that has arrived is still answered: only what would be read after it is cut.
        private void endHalfSent() {
            while (isRunning()) {
                long silent = System.currentTimeMillis() - SILENCE_AT_STOP.toMillis();
                connections.forEach((connection, open) -> {
                    if (open instanceof NioSocketWrapper read && read.getLastRead() < silent) {
                        endInput(connection);
                    }
                });
                LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            }
        }

        private static void endInput(SocketChannel connection) {
            try {
                connection.shutdownInput();
            } catch (IOException closed) {
                // There is nothing more to wait for.
            }
        }

        private boolean isOneTooMany(InetAddress address) {
            return connections.keySet().stream()
                            .filter(open -> address.equals(open.socket().getInetAddress()))
                            .count()
                    >= perAddress;
        }
    }
}
