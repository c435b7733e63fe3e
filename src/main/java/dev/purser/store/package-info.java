/** The home and its keys; the ledger's database, SQLite or PostgreSQL: its lock, its single writer and its readers. */
@MayUse({"problem"})
@NullMarked
package dev.purser.store;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
