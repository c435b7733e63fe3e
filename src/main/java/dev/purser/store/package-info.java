/** The one embedded database: its file, its lock, its single writer and its readers. */
@MayUse({"problem"})
@NullMarked
package dev.purser.store;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
