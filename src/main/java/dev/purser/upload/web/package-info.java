/** Uploads over HTTP. */
@NullMarked
package dev.purser.upload.web;

import org.jspecify.annotations.NullMarked;
