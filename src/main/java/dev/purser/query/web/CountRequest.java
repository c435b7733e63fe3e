package dev.purser.query.web;

import io.swagger.v3.oas.annotations.media.Schema;

/** The question for a count as the API describes it. */
@Schema(name = "CountQuestion")
record CountRequest() {}
