/** What a start checks and says about its settings: nothing is ignored, and every protection is named as on or off. */
@MayUse({"access", "json", "query", "store", "tables", "upload"})
@NullMarked
package dev.purser.settings;

import dev.purser.MayUse;
import org.jspecify.annotations.NullMarked;
