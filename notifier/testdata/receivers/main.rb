require_relative "webhook"

STDIN.each_line(chomp: true) do |line|
  now, *fields = line.split("\t", -1)
  secret, body, signature, after, id, timestamp, signatures = fields.map { |s| Base64.decode64(s).force_encoding("UTF-8") }
  one = Webhook.verify_service(secret, body, signature, after)
  two = Webhook.verify_standard(secret, body, id, timestamp, signatures, now.to_i)
  puts "#{one} #{two}"
end
