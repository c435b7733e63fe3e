/**
 * The program of the child process that turns one Parquet file into CSV. It is trusted with that file and nothing else.
 */
@NullMarked
package dev.purser.upload.parquet;

import org.jspecify.annotations.NullMarked;
