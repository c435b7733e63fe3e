package dev.purser;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The privacy-budget server: differentially private answers over HTTP, and the books of every epsilon spent. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class PurserApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(PurserApplication.class, arguments);
    }
}
