package notifier

import (
	"context"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"rollcall/internal/public"
)

// book is a resolver that knows these names only.
type book map[string][]string

// LookupNetIP looks a name up.
func (b book) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	var out []netip.Addr
	for _, a := range b[host] {
		out = append(out, netip.MustParseAddr(a))
	}
	if out == nil {
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return out, nil
}

func names() book {
	return book{
		"hooks.example.org":     {"93.184.216.34", "2606:2800:220:1::1"},
		"inside.example.org":    {"10.1.2.3"},
		"mixed.example.org":     {"93.184.216.34", "192.168.1.1"},
		"mapped.example.org":    {"::ffff:127.0.0.1"},
		"public6.example.org":   {"::ffff:93.184.216.34"},
		"meta.example.org":      {"169.254.169.254"},
		"xn--bcher-kva.example": {"93.184.216.34"},
	}
}

func TestAddressesThatMayBeRegistered(t *testing.T) {
	t.Parallel()
	guard := public.New(nil)
	for _, address := range []string{
		"https://hooks.example.org",
		"https://hooks.example.org/a/b?token=1&x=%20",
		"https://hooks.example.org:8443/",
		"https://hooks.example.org:1/",
		"https://hooks.example.org:65535/",
		"HTTPS://Hooks.Example.ORG/",
		"https://hooks.example.org./",
		"https://not-yet.example.org/",
		"https://under_score.example.org/",
		"https://bücher.example/",
		"https://93.184.216.34/hook",
		"https://93.184.216.34:9000/",
		"https://[2606:2800:220:1::1]/",
		"https://[2606:2800:220:1::1]:444/",
		"https://public6.example.org/",
		"https://0x7f.example.org/",
		"https://127.0.0.1.example.org/",
	} {
		require.NoError(t, CheckURL(t.Context(), guard, names(), address), address)
	}
}

func TestAddressesThatAreRefused(t *testing.T) {
	t.Parallel()
	guard := public.New(nil)
	for why, addresses := range map[string][]string{
		"must start with https://": {"http://hooks.example.org/", "ftp://hooks.example.org/", "//hooks.example.org/", "hooks.example.org", "wss://hooks.example.org", "file:///etc/passwd", ""},
		"is not a URL":             {"https:hooks.example.org", "https://[::1", "https://exa%6dple.org/", "https://a:b:c/", "https://hooks.example.org:https/"},
		"user or password":         {"https://u@hooks.example.org/", "https://u:p@hooks.example.org/", "https://@hooks.example.org/", "https://hooks.example.org:443@10.0.0.1/"},
		"fragment":                 {"https://hooks.example.org/#", "https://hooks.example.org/#a"},
		"no host":                  {"https://", "https:///a", "https://:443/"},
		"port":                     {"https://hooks.example.org:0/", "https://hooks.example.org:65536/", "https://hooks.example.org:/", "https://hooks.example.org:99999999999999999999/"},
		"a space":                  {"https://hooks.example.org/a b", " https://hooks.example.org/", "https://hooks.example.org/\r\nX-Evil:1", "https://hooks.example.org/\x00", `https://hooks.example.org\@10.0.0.1/`, "https://hooks.example.org/\x7f"},
		"longer than 2048":         {"https://hooks.example.org/" + strings.Repeat("a", 2048)},
		"longer than 253":          {"https://" + strings.Repeat("abcdefg.", 40) + "org/"},
		"not a name":               {"https://" + strings.Repeat("a", 64) + ".org/", "https://a..org/", "https://.org/", "https://./", "https://a!b.org/", "https://*.example.org/"},
		"four decimal numbers": {
			"https://0177.0.0.1/", "https://0x7f.0.0.1/", "https://0X7F.0.0.1/", "https://2130706433/", "https://0x7f000001/", "https://017700000001/",
			"https://127.1/", "https://127.0.1/", "https://0/", "https://127.0.0.1./", "https://1.2.3.4.5/", "https://256.256.256.256/", "https://00000000177.0.0.1/",
			"https://example.0x7f/", "https://example.123/", "https://0x.0x/", "https://93.184.55330/", "https://010.8.8.8/", "https://１２７.１/",
		},
		"not a valid IPv6": {"https://[fe80::1%25eth0]/", "https://[::1%25lo]/", "https://[2606:2800:220:1::1%25eth0]/"},
		"not public": {
			// IPv4: every special range, at its ends.
			"https://127.0.0.1/", "https://127.255.255.254:8443/", "https://0.0.0.0/", "https://0.255.255.255/", "https://10.0.0.1/", "https://10.255.255.255/",
			"https://100.64.0.1/", "https://100.127.255.255/", "https://169.254.169.254/", "https://172.16.0.1/", "https://172.31.255.255/", "https://192.0.0.192/",
			"https://192.0.2.1/", "https://192.88.99.1/", "https://192.168.0.1/", "https://198.18.0.1/", "https://198.19.255.255/", "https://198.51.100.1/", "https://203.0.113.1/",
			"https://224.0.0.1/", "https://239.255.255.255/", "https://240.0.0.1/", "https://255.255.255.255/", "https://168.63.129.16/", "https://１２７.０.０.１/", "https://127。0。0。1/",
			// IPv6: loopback, local, documentation, and every form that carries an IPv4 address.
			"https://[::]/", "https://[::1]/", "https://[0:0:0:0:0:0:0:1]/", "https://[fe80::1]/", "https://[fec0::1]/", "https://[fc00::1]/", "https://[fd00:ec2::254]/", "https://[ff02::1]/",
			"https://[2001:db8::1]/", "https://[3fff::1]/", "https://[100::1]/", "https://[5f00::1]/",
			"https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[::ffff:93.184.216.34]/", "https://[::127.0.0.1]/", "https://[::ffff:0:127.0.0.1]/",
			"https://[64:ff9b::127.0.0.1]/", "https://[64:ff9b::7f00:1]/", "https://[64:ff9b:1::7f00:1]/", "https://[2002:7f00:1::]/", "https://[2002:a00:1::1]/",
			"https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/", "https://[2001:0:53aa:64c:0:0:80ff:fffe]/",
			// Names.
			"https://localhost/", "https://LOCALHOST./", "https://a.localhost/", "https://inside.example.org/", "https://mixed.example.org/", "https://mapped.example.org/", "https://meta.example.org/",
		},
	} {
		for _, address := range addresses {
			require.ErrorContains(t, CheckURL(t.Context(), guard, names(), address), why, address)
		}
	}
}

func TestAReceiverOnTheOwnMachineIsRefusedWithAWayToTestIt(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"http://localhost:9999": true, "https://localhost:9443/": true, "localhost:9999": true, "LOCALHOST/hooks": true, "127.0.0.1:9999": true,
		"192.168.1.7:80/x": true, "[::1]:9999": true, "hooks.example.org/in": false, "mailto:a@example.org": false, "93.184.216.34:80": false,
	} {
		err := CheckURL(t.Context(), public.New(nil), names(), address)
		require.Error(t, err, address)
		require.Equal(t, want, strings.Contains(err.Error(), "rollcall webhook listen --plain"), "%s: %v", address, err)
	}
}

func TestRefusalsDoNotTellInnerAddresses(t *testing.T) {
	t.Parallel()
	err := CheckURL(t.Context(), public.New(nil), names(), "https://inside.example.org/")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "10.1.2.3")
}

func TestOpenedNetworks(t *testing.T) {
	t.Parallel()
	guard := public.New([]netip.Prefix{
		netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"), netip.MustParsePrefix("10.1.0.9/16"), netip.MustParsePrefix("64:ff9b::/96"),
	})
	for _, address := range []string{
		"https://127.0.0.1:1/", "https://127.3.2.1/", "https://[::1]:9999/", "https://localhost:8443/", "https://inside.example.org/", "https://[64:ff9b::93.184.216.34]/",
	} {
		require.NoError(t, CheckURL(t.Context(), guard, names(), address), address)
	}
	for _, address := range []string{
		"https://10.2.0.1/", "https://192.168.0.1/", "https://[fe80::1]/", "https://127.1/", "http://127.0.0.1/",
		"https://[64:ff9b::192.168.0.1]/", // an opened NAT64 opens no private network behind it
	} {
		require.Error(t, CheckURL(t.Context(), guard, names(), address), address)
	}
}

// Whatever notation an address of a closed network is put in, it is refused.
func TestNoNotationOpensLoopback(t *testing.T) {
	t.Parallel()
	guard := public.New(nil)
	rapid.Check(t, func(t *rapid.T) {
		parts := []uint32{127, rapid.Uint32Range(0, 255).Draw(t, "b"), rapid.Uint32Range(0, 255).Draw(t, "c"), rapid.Uint32Range(0, 255).Draw(t, "d")}
		n := rapid.IntRange(1, 4).Draw(t, "parts")
		var host []string
		for i := range n {
			value := parts[i]
			if i == n-1 { // the last part fills what is left
				for _, p := range parts[n:] {
					value = value<<8 | p
				}
			}
			host = append(host, rapid.SampledFrom([]func(uint32) string{decimal, octal, hexadecimal, padded}).Draw(t, "notation")(value))
		}
		address := "https://" + strings.Join(host, ".") + rapid.SampledFrom([]string{"", ".", ":8443"}).Draw(t, "tail") + "/"
		require.Error(t, CheckURL(context.Background(), guard, names(), address), address)
	})
}

// FuzzCheckURL looks for an address that is registered although what would be dialled is closed.
func FuzzCheckURL(f *testing.F) {
	for _, seed := range []string{"https://hooks.example.org/", "https://[::ffff:1.2.3.4]:1/", "https://0x7f.1/", "https://u@h/#", "https://１.1.1.1/"} {
		f.Add(seed)
	}
	guard := public.New(nil)
	f.Fuzz(func(t *testing.T, address string) {
		if CheckURL(t.Context(), guard, book{}, address) != nil {
			return
		}
		host, err := dialled(address)
		require.NoError(t, err)
		name, _, err := net.SplitHostPort(host)
		require.NoError(t, err)
		if ip, err := netip.ParseAddr(name); err == nil {
			require.NoError(t, guard.Check(ip))
		}
		require.True(t, strings.EqualFold(address[:8], "https://"))
	})
}

func decimal(n uint32) string     { return strconv.FormatUint(uint64(n), 10) }
func octal(n uint32) string       { return "0" + strconv.FormatUint(uint64(n), 8) }
func hexadecimal(n uint32) string { return "0x" + strconv.FormatUint(uint64(n), 16) }
func padded(n uint32) string      { return "0x000" + strconv.FormatUint(uint64(n), 16) }
