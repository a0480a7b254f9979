using System;
using System.Linq;
using System.Text;

public static class Program
{
    public static void Main()
    {
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            string[] fields = line.Split('\t');
            byte[] body = Convert.FromBase64String(fields[2]);
            string[] f = fields.Skip(1).Select(s => Encoding.UTF8.GetString(Convert.FromBase64String(s))).ToArray();
            bool one = Webhook.VerifyService(f[0], body, f[2], f[3]);
            bool two = Webhook.VerifyStandard(f[0], body, f[4], f[5], f[6], long.Parse(fields[0]));
            Console.WriteLine((one + " " + two).ToLowerInvariant());
        }
    }
}
