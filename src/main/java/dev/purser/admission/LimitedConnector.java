package dev.purser.admission;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioEndpoint;

/**
 * Tomcat's connector with limits on connections. They are needed because a connection that never completes its header
 * costs the sender nothing, and Tomcat waits for every further byte.
 *
 * <ul>
 * <li>All connections together take at most a sixteenth of the heap. Further connections wait to be accepted.
 * <li>One address has at most half of the connections. A further connection is closed when it is accepted.
 * <li>When the service stops, it ends a request whose body has stopped arriving, because the stop would wait for it.
 *     Nothing is charged for such a request yet.
 * </ul>
 */
public final class LimitedConnector extends Http11NioProtocol {
    /** The memory of a connection until its header is complete: the buffers of header and socket, and the parser. */
    private static final long BYTES = 64L << 10;

    private static final Duration SILENCE_AT_STOP = Duration.ofSeconds(1);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

    /** Tomcat makes the connector by the name of this class. */
    public LimitedConnector() {
        super(new LimitedEndpoint());
    }

    /**
     * Limits the connections to what fits into the heap, and the connections of one address.
     *
     * @param perAddress how many connections one address may have; 0 for half of all
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

        // A request that has arrived is still answered. Only further input is cut off.
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
                // The connection is closed already.
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
