package dev.purser.speed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/** Where the processor time of a question goes, from a recording of samples of processor time (JEP 509). */
final class Stages {
    private static final String REST = "the rest";

    /** The first stage that has a frame in a stack counts, also for what it calls. */
    private static final Map<String, Pattern> OWN = stages(
            "key", "dev\\.purser\\.access\\.Key.*",
            "dataset and registration", "dev\\.purser\\.dataset\\..*",
            "anchor: code, flush", "dev\\.purser\\.ledger\\.(Anchor|SigningKey).*",
            "ledger: rules, statements, flush", "dev\\.purser\\.(ledger|store)\\..*",
            "noise", "dev\\.purser\\.(noise|mechanism)\\..*",
            "statistic", "dev\\.purser\\.(engine|rows|upload)\\..*",
            "answer as JSON", "dev\\.purser\\.query\\.AnswerEnvelope.*|tools\\.jackson\\..*",
            "JSON of the request", "dev\\.purser\\.json\\..*",
            "question, quote", "dev\\.purser\\.query\\.[^w].*",
            "line of the log, timer", "dev\\.purser\\.watch\\.RequestLog\\.log");

    /** The innermost stage counts, because these stages call one another and all stages above. */
    private static final Map<String, Pattern> FRAMEWORK = stages(
            "metrics", "io\\.micrometer\\..*|org\\.springframework\\..*[oO]bservation.*",
            "Spring Security", "org\\.springframework\\.security\\..*|dev\\.purser\\.access\\..*",
            "Spring MVC", "org\\.springframework\\..*|dev\\.purser\\.(query\\.web|admission)\\..*",
            "Tomcat: sockets, HTTP", "org\\.apache\\..*");

    private Stages() {}

    private static Map<String, Pattern> stages(String... namesAndPatterns) {
        Map<String, Pattern> stages = new LinkedHashMap<>();
        for (int i = 0; i < namesAndPatterns.length; i += 2) {
            stages.put(namesAndPatterns[i], Pattern.compile(namesAndPatterns[i + 1]));
        }
        return stages;
    }

    /** The share of each stage in all samples, in the order of a question's path. */
    static Map<String, Double> shares(Path recording) throws IOException {
        Map<String, Double> samples = new LinkedHashMap<>();
        FRAMEWORK.keySet().forEach(name -> samples.put(name, 0.0));
        OWN.keySet().forEach(name -> samples.put(name, 0.0));
        samples.put(REST, 0.0);
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                RecordedStackTrace stack = event.getStackTrace();
                if (event.getEventType().getName().equals("jdk.CPUTimeSample") && stack != null) {
                    samples.merge(stage(stack.getFrames()), 1.0, Double::sum);
                }
            }
        }
        double all = samples.values().stream().mapToDouble(Double::doubleValue).sum();
        samples.replaceAll((name, count) -> count / all);
        return samples;
    }

    private static String stage(List<RecordedFrame> innermostFirst) {
        List<String> methods = innermostFirst.stream()
                .map(frame -> frame.getMethod().getType().getName() + "."
                        + frame.getMethod().getName())
                .toList();
        for (Map.Entry<String, Pattern> own : OWN.entrySet()) {
            if (methods.stream()
                    .anyMatch(method -> own.getValue().matcher(method).matches())) {
                return own.getKey();
            }
        }
        for (String method : methods) {
            for (Map.Entry<String, Pattern> each : FRAMEWORK.entrySet()) {
                if (each.getValue().matcher(method).matches()) {
                    return each.getKey();
                }
            }
        }
        return REST;
    }
}
