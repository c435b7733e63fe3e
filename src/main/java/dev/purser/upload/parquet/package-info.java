/** The program of the child process that turns one Parquet file into CSV. It is given nothing except this file. */
@NullMarked
package dev.purser.upload.parquet;

import org.jspecify.annotations.NullMarked;
