package notifier

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"flag"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"rollcall/internal/public"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestMain fails when a test leaves a goroutine behind: a leak here grows with every delivery.
// The test's database server lives as long as the process.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("rollcall/internal/pg.(*Server).watch"), goleak.IgnoreAnyFunction("rollcall/internal/pg.(*walWatch).run"),
		goleak.IgnoreAnyFunction("database/sql.(*DB).connectionOpener"))
}

// moment is when these tests take place, where they can choose.
var moment = time.Date(2026, time.March, 8, 6, 30, 0, 0, time.UTC)

// loopback is what ROLLCALL_WEBHOOK_ALLOW opens in most tests.
func loopback() []netip.Prefix {
	return []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
}

// bundle is a client on loopback that trusts an authority of this test.
type bundle struct {
	*Client
	ca   *authority
	keys Keyring
}

func setup(tb testing.TB, change ...func(*ClientOptions)) *bundle {
	tb.Helper()
	ca := newAuthority(tb)
	o := ClientOptions{Guard: public.New(loopback()), Version: "1.2.3", Roots: ca.pool}
	for _, c := range change {
		c(&o)
	}
	b := &bundle{Client: NewClient(o), ca: ca, keys: Keyring{Current: NewSecret()}}
	tb.Cleanup(b.Close)
	return b
}

// delivery is one of a test event to url.
func (b *bundle) delivery(tb testing.TB, url string) Delivery {
	tb.Helper()
	body, err := TestEvent("evt_1", moment).Body(PayloadV1)
	require.NoError(tb, err)
	return Delivery{URL: url, EventID: "evt_1", Body: body, Keys: b.keys}
}

// send makes one attempt that must be an attempt.
func (b *bundle) send(t *testing.T, url string) Attempt {
	t.Helper()
	a, err := b.Send(t.Context(), b.delivery(t, url))
	require.NoError(t, err)
	require.Equal(t, a.Delivered(), a.Err == "", "an error is told if and only if there is one")
	return a
}

// discardLog keeps the complaints of servers under attack out of the test's output.
func discardLog() *log.Logger { return log.New(io.Discard, "", 0) }

// endpoint is an HTTPS server on loopback that counts its connections.
type endpoint struct {
	*httptest.Server
	connections atomic.Int64
}

// serve answers over TLS with a certificate of the bundle's authority. It offers HTTP/2 if asked.
func (b *bundle) serve(tb testing.TB, http2 bool, h http.HandlerFunc) *endpoint {
	tb.Helper()
	e := &endpoint{Server: httptest.NewUnstartedServer(h)}
	e.Config.ErrorLog = discardLog()
	e.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			e.connections.Add(1)
		}
	}
	e.EnableHTTP2 = http2
	e.TLS = &tls.Config{Certificates: []tls.Certificate{b.ca.certificate(tb, nil)}}
	e.StartTLS()
	tb.Cleanup(e.Close)
	return e
}

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pool *x509.CertPool
}

func newAuthority(tb testing.TB) *authority {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(tb, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority of a test"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(tb, err)
	cert, err := x509.ParseCertificate(der)
	require.NoError(tb, err)
	ca := &authority{cert: cert, key: key, pool: x509.NewCertPool()}
	ca.pool.AddCert(cert)
	return ca
}

// certificate is one for loopback and hooks.example.org, valid now; change alters what is signed.
func (a *authority) certificate(tb testing.TB, change func(*x509.Certificate)) tls.Certificate {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(tb, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}, DNSNames: []string{"hooks.example.org"},
	}
	if change != nil {
		change(template)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	require.NoError(tb, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// file writes the authority's certificate as ROLLCALL_WEBHOOK_CA_FILE has it.
func (a *authority) file(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca.pem")
	require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw}), 0o600))
	return path
}
