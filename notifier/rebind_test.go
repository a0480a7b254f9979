package notifier

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"

	"rollcall/internal/public"
)

// nameServer answers the questions for the address of any name with the next of answers, the last one for ever. Nothing is
// answered for IPv6.
type nameServer struct {
	answers []string
	asked   atomic.Int64
}

// start runs the server on loopback and gives a resolver that asks it.
func (s *nameServer) start(t *testing.T) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		question := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(question)
			if err != nil {
				return
			}
			if answer := s.answer(question[:n]); answer != nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	}()
	t.Cleanup(func() { _ = conn.Close(); <-done })
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp4", conn.LocalAddr().String())
	}}
}

func (s *nameServer) answer(question []byte) []byte {
	var m dnsmessage.Message
	if m.Unpack(question) != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
	if q.Type == dnsmessage.TypeA {
		i := min(int(s.asked.Add(1)), len(s.answers)) - 1
		m.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
			Body:   &dnsmessage.AResource{A: netip.MustParseAddr(s.answers[i]).As4()},
		}}
	}
	out, err := m.Pack()
	if err != nil {
		return nil
	}
	return out
}

// TestRebinding has a name that is public when it is registered and leads inside when it is dialled, in a real dial.
func TestRebinding(t *testing.T) {
	t.Parallel()
	for _, inside := range []string{"127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0"} {
		t.Run("to "+inside, func(t *testing.T) {
			t.Parallel()
			guard := public.New(nil)
			dns := &nameServer{answers: []string{"93.184.216.34", inside}}
			resolver := dns.start(t)
			b := setup(t, func(o *ClientOptions) { o.Guard, o.Resolver = guard, resolver })
			e := b.serve(t, false, func(http.ResponseWriter, *http.Request) { t.Error("a request came through") })
			url := "https://hooks.example.org:" + e.URL[strings.LastIndex(e.URL, ":")+1:] + "/"

			require.NoError(t, CheckURL(t.Context(), guard, resolver, url), "it is public when registered")
			a := b.send(t, url)
			require.Equal(t, ClassAddress, a.Class)
			require.Equal(t, "the host resolves to an address that is not public", a.Err)
			require.Zero(t, e.connections.Load(), "not even a connection was opened")
			require.Error(t, CheckURL(t.Context(), guard, resolver, url), "it would not be registered now")
		})
	}
}

// The same name and server are reached once the network is opened, so the refusals above are the guard's.
func TestAnOpenedNetworkIsReachedByName(t *testing.T) {
	t.Parallel()
	resolver := (&nameServer{answers: []string{"127.0.0.1"}}).start(t)
	b := setup(t, func(o *ClientOptions) {
		o.Guard, o.Resolver = public.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}), resolver
	})
	e := b.serve(t, true, func(http.ResponseWriter, *http.Request) {})
	port := e.URL[strings.LastIndex(e.URL, ":")+1:]
	require.True(t, b.send(t, "https://hooks.example.org:"+port+"/").Delivered())
	require.Equal(t, ClassTLS, b.send(t, "https://other.example.org:"+port+"/").Class, "the certificate is for the name")
}

func TestANameThatDoesNotResolve(t *testing.T) {
	t.Parallel()
	resolver := &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.DNSError{Err: "no such host", IsNotFound: true}
	}}
	b := setup(t, func(o *ClientOptions) { o.Resolver = resolver })
	a := b.send(t, "https://gone.example.org/")
	require.Equal(t, ClassName, a.Class)
	require.Equal(t, "the name of the host does not resolve", a.Err)
}

// Every literal form of loopback that a URL can hold is refused at the dial as well, should one be in the database.
func TestLiteralsAreCheckedAtTheDial(t *testing.T) {
	t.Parallel()
	resolver := (&nameServer{answers: []string{"127.0.0.1"}}).start(t)
	b := setup(t, func(o *ClientOptions) { o.Guard, o.Resolver = public.New(nil), resolver })
	e := b.serve(t, false, func(http.ResponseWriter, *http.Request) { t.Error("a request came through") })
	port := e.URL[strings.LastIndex(e.URL, ":")+1:]
	for _, host := range []string{"127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "[::]", "0.0.0.0", "localhost", "2130706433", "0x7f.1", "127.1", "１２７.０.０.１"} {
		a := b.send(t, "https://"+host+":"+port+"/")
		require.False(t, a.Delivered(), host)
	}
	require.Zero(t, e.connections.Load())
}
