package dev.purser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Instructions of the Dockerfile, in order. */
record ImageFile(List<Instruction> instructions) {
    /** One instruction; its continuation lines are joined by single spaces. */
    record Instruction(String keyword, String arguments) {}

    static ImageFile all() throws IOException {
        List<Instruction> instructions = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        for (String line : Files.readAllLines(Path.of("Dockerfile"))) {
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            boolean continues = text.endsWith("\\");
            open.append(continues ? text.substring(0, text.length() - 1).strip() + " " : text);
            if (!continues) {
                String[] parts = open.toString().split("\\s+", 2);
                assertThat(parts[0]).as("an instruction of the Dockerfile").matches("[A-Z]+");
                instructions.add(new Instruction(parts[0], parts.length > 1 ? parts[1] : ""));
                open.setLength(0);
            }
        }
        assertThat(open).as("a continuation at the end of the Dockerfile").isEmpty();
        return new ImageFile(instructions);
    }

    /** The instructions of the last stage, which makes the image itself. */
    static ImageFile lastStage() throws IOException {
        ImageFile all = all();
        int start = all.keywords().lastIndexOf("FROM");
        return new ImageFile(
                all.instructions().subList(start, all.instructions().size()));
    }

    List<String> keywords() {
        return instructions.stream().map(Instruction::keyword).toList();
    }

    List<String> arguments(String keyword) {
        return instructions.stream()
                .filter(instruction -> instruction.keyword().equals(keyword))
                .map(Instruction::arguments)
                .toList();
    }
}
