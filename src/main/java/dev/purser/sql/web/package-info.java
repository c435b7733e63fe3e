/** The addresses that Trino's clients call. */
@NullMarked
package dev.purser.sql.web;

import org.jspecify.annotations.NullMarked;
