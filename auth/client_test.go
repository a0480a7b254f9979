package auth_test

import (
	"net/http"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"rollcall/auth"
)

func TestClientIsTheRightmostAddressThatIsNotTrusted(t *testing.T) {
	t.Parallel()
	proxies := auth.Proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:1::/48")}
	const proxy = "10.1.1.1:4000"
	for name, c := range map[string]struct {
		conn      string
		legacy    []string // X-Forwarded-For
		forwarded []string // Forwarded
		want      string
	}{
		"no proxy":                                         {conn: "203.0.113.9:4711", want: "203.0.113.9"},
		"no proxy, IPv6":                                   {conn: "[2001:db8::9]:4711", want: "2001:db8::9"},
		"an IPv4 address in IPv6 clothes":                  {conn: "[::ffff:203.0.113.9]:4711", want: "203.0.113.9"},
		"a header from who is not trusted":                 {conn: "203.0.113.9:1", legacy: []string{"198.51.100.1"}, want: "203.0.113.9"},
		"a proxy that says nothing":                        {conn: proxy, want: "10.1.1.1"},
		"a proxy that names the client":                    {conn: proxy, legacy: []string{"198.51.100.1"}, want: "198.51.100.1"},
		"a client that made up addresses on the left":      {conn: proxy, legacy: []string{"192.0.2.1, 10.9.9.9, 198.51.100.1"}, want: "198.51.100.1"},
		"two proxies in a row":                             {conn: proxy, legacy: []string{"198.51.100.1, 10.2.2.2"}, want: "198.51.100.1"},
		"several header lines are one list":                {conn: proxy, legacy: []string{"192.0.2.1", "198.51.100.1", "10.2.2.2"}, want: "198.51.100.1"},
		"all of them trusted":                              {conn: proxy, legacy: []string{"10.3.3.3, 10.2.2.2"}, want: "10.3.3.3"},
		"nonsense ends the walk at the last known hop":     {conn: proxy, legacy: []string{"198.51.100.1, <script>, 10.2.2.2"}, want: "10.2.2.2"},
		"with port and IPv6":                               {conn: proxy, legacy: []string{"[2001:db8:2::7]:99"}, want: "2001:db8:2::7"},
		"a trusted IPv6 hop":                               {conn: "[2001:db8:1::1]:5", legacy: []string{"198.51.100.1, 2001:db8:1::2"}, want: "198.51.100.1"},
		"Forwarded":                                        {conn: proxy, forwarded: []string{`for=192.0.2.1, For="[2001:db8:2::7]:4711";proto=https;by=10.1.1.1`}, want: "2001:db8:2::7"},
		"Forwarded with a hidden client":                   {conn: proxy, forwarded: []string{`for=_hidden`}, want: "10.1.1.1"},
		"an open quote before the proxy's element":         {conn: proxy, forwarded: []string{`for="192.0.2.1, for=198.51.100.1`}, want: "198.51.100.1"},
		"both headers agree":                               {conn: proxy, legacy: []string{"198.51.100.1"}, forwarded: []string{"for=198.51.100.1"}, want: "198.51.100.1"},
		"a client that sent the header the proxy does not": {conn: proxy, legacy: []string{"198.51.100.1"}, forwarded: []string{"for=192.0.2.1"}, want: "10.1.1.1"},
		"a zone is dropped":                                {conn: "[fe80::1%eth0]:4711", want: "fe80::1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &http.Request{RemoteAddr: c.conn, Header: http.Header{}}
			if c.legacy != nil {
				r.Header["X-Forwarded-For"] = c.legacy
			}
			if c.forwarded != nil {
				r.Header["Forwarded"] = c.forwarded
			}
			require.Equal(t, c.want, proxies.Client(r).String())
		})
	}
}

func TestClientOfAUnixSocketIsNoAddress(t *testing.T) {
	t.Parallel()
	require.False(t, auth.Proxies{}.Client(&http.Request{RemoteAddr: "@"}).IsValid())
}

func FuzzClient(f *testing.F) {
	f.Add("198.51.100.1, 10.0.0.1", `for="[::1]:1"`)
	f.Add(`"`, `for=";for=`)
	f.Fuzz(func(t *testing.T, legacy, forwarded string) {
		r := &http.Request{RemoteAddr: "10.0.0.1:1", Header: http.Header{"X-Forwarded-For": {legacy}, "Forwarded": {forwarded}}}
		require.True(t, auth.Proxies{netip.MustParsePrefix("10.0.0.0/8")}.Client(r).IsValid())
	})
}
