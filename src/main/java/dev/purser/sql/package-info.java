/**
 * SQL through Trino's client protocol. One form of SELECT becomes one question of {@code query}. The steps after its
 * noise are computed here. This module makes questions and shows their answers. It reaches no engine, no mechanism and
 * no ledger.
 */
@MayUse({"access", "admission", "dataset", "http", "json", "privacy", "problem", "query"})
@NullMarked
package dev.purser.sql;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
