/**
 * The home and its keys, and the ledger's database (SQLite or PostgreSQL) with its lock, its single writer and readers.
 */
@MayUse({"problem"})
@NullMarked
package dev.purser.store;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
