/** Tables in databases of others: named connections, read-only sessions, and what the databases' SQL differs in. */
@MayUse("store")
@NullMarked
package dev.purser.tables;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
