package notifier

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTLSIsAlwaysVerified(t *testing.T) {
	t.Parallel()
	b := setup(t)
	stranger := newAuthority(t)
	serve := func(change func(*tls.Config)) string {
		e := b.serve(t, false, func(http.ResponseWriter, *http.Request) { t.Error("a request came through") })
		change(e.TLS)
		return e.URL
	}
	with := func(c tls.Certificate) func(*tls.Config) {
		return func(o *tls.Config) { o.Certificates = []tls.Certificate{c} }
	}
	for name, c := range map[string]struct {
		change func(*tls.Config)
		want   string
	}{
		"signed by a stranger":              {with(stranger.certificate(t, nil)), "not signed by a known authority"},
		"expired":                           {with(b.ca.certificate(t, func(x *x509.Certificate) { x.NotAfter = time.Now().Add(-time.Minute) })), "has expired"},
		"not yet valid":                     {with(b.ca.certificate(t, func(x *x509.Certificate) { x.NotBefore = time.Now().Add(24 * time.Hour) })), "not yet valid"},
		"for another name":                  {with(b.ca.certificate(t, func(x *x509.Certificate) { x.IPAddresses = nil })), "for another name"},
		"for clients":                       {with(b.ca.certificate(t, func(x *x509.Certificate) { x.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} })), "does not verify"},
		"an old version":                    {func(o *tls.Config) { o.MinVersion, o.MaxVersion = tls.VersionTLS10, tls.VersionTLS11 }, "handshake was refused"},
		"a client certificate is asked for": {func(o *tls.Config) { o.ClientAuth, o.MaxVersion = tls.RequireAnyClientCert, tls.VersionTLS12 }, "handshake was refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := b.send(t, serve(c.change))
			require.Equal(t, ClassTLS, a.Class, a.Err)
			require.Contains(t, a.Err, c.want)
		})
	}
	t.Run("plain HTTP on the port", func(t *testing.T) {
		t.Parallel()
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		require.NoError(t, err)
		plain := &http.Server{Handler: http.NotFoundHandler(), ReadHeaderTimeout: time.Second, ErrorLog: discardLog()}
		go func() { _ = plain.Serve(l) }()
		t.Cleanup(func() { _ = plain.Close() })
		a := b.send(t, "https://"+l.Addr().String())
		require.Equal(t, ClassTLS, a.Class)
		require.Equal(t, "the port does not speak TLS", a.Err)
	})
}
