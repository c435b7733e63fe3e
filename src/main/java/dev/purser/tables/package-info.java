/** Tables in other parties' databases: named connections, read-only sessions, and the differences of their SQL. */
@MayUse("store")
@NullMarked
package dev.purser.tables;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
