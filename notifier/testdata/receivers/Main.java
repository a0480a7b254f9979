import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

public final class Main {
    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] fields = line.split("\t", -1);
            byte[] body = Base64.getDecoder().decode(fields[2]);
            boolean one = Webhook.verifyService(text(fields[1]), body, text(fields[3]), text(fields[4]));
            boolean two = Webhook.verifyStandard(
                    text(fields[1]), body, text(fields[5]), text(fields[6]), text(fields[7]), Long.parseLong(fields[0]));
            System.out.println(one + " " + two);
        }
    }

    private static String text(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }
}
