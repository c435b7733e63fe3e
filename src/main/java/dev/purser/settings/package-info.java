/**
 * What a start checks and logs about its settings. No setting is ignored, and every protection is logged as on or off.
 */
@MayUse({"access", "json", "query", "store", "tables", "upload"})
@NullMarked
package dev.purser.settings;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
