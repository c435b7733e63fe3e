package dev.purser.dataset.parser;

import dev.purser.libc.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * A database in memory, asked through DuckDB's interface for C, which the library of its driver offers as well: results are read
 * where they are, while the driver makes an object of each text (docs/adr/0029). For one thread.
 */
final class DuckDb implements AutoCloseable {
    private static final int SUCCESS = 0;

    /** All memory of this process: where a vector is, DuckDB says. */
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final Functions functions;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment database = arena.allocate(ADDRESS);
    private final MemorySegment connection = arena.allocate(ADDRESS);

    private DuckDb(Functions functions) {
        this.functions = functions;
    }

    /** @param settings statements that are carried out before any other */
    static DuckDb open(Iterable<String> settings) throws SQLException {
        DuckDbLibrary.load();
        DuckDb opened = new DuckDb(Functions.ofDriver());
        opened.connect();
        for (String setting : settings) {
            opened.execute(setting);
        }
        return opened;
    }

    /** With one thread from the beginning: one for each processor takes more addresses than the jail permits. */
    private void connect() throws SQLException {
        MemorySegment configuration = arena.allocate(ADDRESS);
        require(functions.createConfiguration.call(configuration.address()));
        require(functions.configure.call(
                word(configuration),
                arena.allocateFrom("threads").address(),
                arena.allocateFrom("1").address()));
        require(functions.open.call(0, database.address(), word(configuration), 0));
        functions.destroyConfiguration.call(configuration.address());
        require(functions.connect.call(word(database), connection.address()));
    }

    private static void require(int state) throws SQLException {
        if (state != SUCCESS) {
            throw new SQLException("DuckDB refuses");
        }
    }

    private static long word(MemorySegment at) {
        return at.get(JAVA_LONG, 0);
    }

    void execute(String sql) throws SQLException {
        try (Rows none = query(sql, 0)) {
            while (none.next()) {
                // Nothing comes of most statements.
            }
        }
    }

    /** The rows of {@code sql}, of which the first {@code columns} columns can be read. They are made while they are asked for. */
    Rows query(String sql, int columns) throws SQLException {
        Rows rows = new Rows(columns);
        try {
            rows.execute(sql);
            return rows;
        } catch (SQLException refused) {
            rows.close();
            throw refused;
        }
    }

    @Override
    public void close() {
        functions.disconnect.call(connection.address());
        functions.close.call(database.address());
        arena.close();
    }

    /** The rows of a result, some two thousand at a time. */
    final class Rows implements AutoCloseable {
        private final Arena own = Arena.ofConfined();
        private final MemorySegment statement = own.allocate(ADDRESS);
        private final MemorySegment result = own.allocate(Functions.RESULT);
        private final MemorySegment chunk = own.allocate(ADDRESS);
        private final Vector[] vectors;
        private int count;

        private Rows(int columns) {
            vectors = new Vector[columns];
            for (int i = 0; i < columns; i++) {
                vectors[i] = new Vector();
            }
        }

        private void execute(String sql) throws SQLException {
            require(functions.prepare.call(
                    word(connection), own.allocateFrom(sql).address(), statement.address()));
            require(functions.execute.call(word(statement), result.address()));
        }

        /**
         * Moves to the next rows; false after the last.
         *
         * @throws SQLException if the rows that came are not all
         */
        boolean next() throws SQLException {
            functions.destroyChunk.call(chunk.address());
            long next = functions.fetch(result);
            chunk.set(JAVA_LONG, 0, next);
            count = 0;
            if (next == 0) {
                if (functions.resultError.word(result.address()) != 0) {
                    throw new SQLException("DuckDB cannot read on");
                }
                return false;
            }
            count = functions.chunkSize.call(next);
            for (int i = 0; i < vectors.length; i++) {
                vectors[i].moveTo(functions.chunkVector.word(next, i));
            }
            return true;
        }

        /** How many rows there are at the moment. */
        int count() {
            return count;
        }

        /** A column of the rows that there are at the moment. */
        Vector vector(int column) {
            return vectors[column];
        }

        @Override
        public void close() {
            functions.destroyChunk.call(chunk.address());
            functions.destroyResult.call(result.address());
            functions.destroyPrepare.call(statement.address());
            own.close();
        }
    }

    /** Values of one type, which the caller knows. */
    final class Vector {
        /** In a {@code duckdb_string_t}, behind its length and its first bytes, where a text is if not there. */
        private static final int ADDRESS_OF_BYTES = 8;

        private long data;
        /** A bit for each value that is there, or 0 if all are. */
        private long validity;

        private Vector() {}

        private void moveTo(long vector) {
            data = functions.vectorData.word(vector);
            validity = functions.vectorValidity.word(vector);
        }

        boolean isNull(int row) {
            return validity != 0
                    && (MEMORY.get(JAVA_LONG, validity + (row / Long.SIZE) * JAVA_LONG.byteSize()) >>> row & 1) == 0;
        }

        /** Whether one of so many rows from one on is missing. */
        boolean someNull(int from, int rows) {
            for (int at = 0; validity != 0 && at < rows; at += Long.SIZE) {
                int here = Math.min(Long.SIZE, rows - at);
                if (presence(from + at, here) != -1L >>> Long.SIZE - here) {
                    return true;
                }
            }
            return false;
        }

        /** A bit for each of at most 64 rows from one on, the first the lowest: whether it is there. */
        long presence(int from, int rows) {
            long bits = 0;
            for (int i = 0; i < rows; i++) {
                bits |= isNull(from + i) ? 0 : 1L << i;
            }
            return bits;
        }

        /** Where the values of so many rows from one on are, each of so many bytes. */
        MemorySegment memory(int from, int rows, int bytesOfRow) {
            return MEMORY.asSlice(data + (long) from * bytesOfRow, (long) rows * bytesOfRow);
        }

        /** A BIGINT. */
        long longAt(int row) {
            return MEMORY.get(JAVA_LONG, data + row * JAVA_LONG.byteSize());
        }

        /** How many bytes a VARCHAR has; none if it is missing. */
        int lengthAt(int row) {
            return isNull(row) ? 0 : MEMORY.get(JAVA_INT, data + (long) row * FieldFrames.TEXT_BYTES);
        }

        /** The bytes of a VARCHAR, in UTF-8. */
        MemorySegment bytesAt(int row, int length) {
            long text = data + (long) row * FieldFrames.TEXT_BYTES;
            return MEMORY.asSlice(
                    length <= FieldFrames.MAX_INLINED
                            ? text + JAVA_INT.byteSize()
                            : MEMORY.get(JAVA_LONG, text + ADDRESS_OF_BYTES),
                    length);
        }
    }

    /** Those of duckdb.h that are needed. */
    private static final class Functions {
        /** {@code duckdb_result}, six words. */
        static final StructLayout RESULT =
                MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

        private static @Nullable Functions ofDriver;

        final Libc createConfiguration;
        final Libc configure;
        final Libc destroyConfiguration;
        final Libc open;
        final Libc close;
        final Libc connect;
        final Libc disconnect;
        final Libc prepare;
        final Libc destroyPrepare;
        final Libc execute;
        final Libc destroyResult;
        final Libc resultError;
        final Libc chunkSize;
        final Libc chunkVector;
        final Libc destroyChunk;
        final Libc vectorData;
        final Libc vectorValidity;
        /** The only one that takes its result by value. */
        private final MethodHandle fetchChunk;

        private Functions(SymbolLookup library) {
            createConfiguration = Libc.function(library, "duckdb_create_config");
            configure = Libc.function(library, "duckdb_set_config");
            destroyConfiguration = Libc.function(library, "duckdb_destroy_config");
            open = Libc.function(library, "duckdb_open_ext");
            close = Libc.function(library, "duckdb_close");
            connect = Libc.function(library, "duckdb_connect");
            disconnect = Libc.function(library, "duckdb_disconnect");
            prepare = Libc.function(library, "duckdb_prepare");
            destroyPrepare = Libc.function(library, "duckdb_destroy_prepare");
            execute = Libc.function(library, "duckdb_execute_prepared_streaming");
            destroyResult = Libc.function(library, "duckdb_destroy_result");
            resultError = Libc.function(library, "duckdb_result_error");
            chunkSize = Libc.function(library, "duckdb_data_chunk_get_size");
            chunkVector = Libc.function(library, "duckdb_data_chunk_get_vector");
            destroyChunk = Libc.function(library, "duckdb_destroy_data_chunk");
            vectorData = Libc.function(library, "duckdb_vector_get_data");
            vectorValidity = Libc.function(library, "duckdb_vector_get_validity");
            fetchChunk = Linker.nativeLinker()
                    .downcallHandle(
                            library.findOrThrow("duckdb_fetch_chunk"), FunctionDescriptor.of(JAVA_LONG, RESULT));
        }

        /** Looked up once the driver has loaded its library, and through the class loader of both. */
        static Functions ofDriver() {
            if (ofDriver == null) {
                ofDriver = new Functions(SymbolLookup.loaderLookup());
            }
            return ofDriver;
        }

        long fetch(MemorySegment result) {
            try {
                return (long) fetchChunk.invokeExact(result);
            } catch (Throwable impossible) {
                throw new IllegalStateException("a function in C throws nothing", impossible);
            }
        }
    }
}
