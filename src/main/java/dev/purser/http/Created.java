package dev.purser.http;

import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes a handler that answers with 201, the address of what it made, and its view. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ApiResponse(
        responseCode = "201",
        headers =
                @Header(
                        name = "Location",
                        description = "The address of what was made.",
                        schema = @Schema(types = "string")),
        useReturnTypeSchema = true)
public @interface Created {}
