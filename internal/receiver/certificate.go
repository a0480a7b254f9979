package receiver

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"
)

// certificateLife is how long a certificate of this machine is valid: as long as a receiver may be left
// running.
const certificateLife = 30 * 24 * time.Hour

// Certificate is a certificate for this machine's own addresses, with the authority that signed it. Receivers
// that run beside rollcall need one, because deliveries always verify TLS. The key of the authority is not
// kept, so it can sign nothing else.
type Certificate struct {
	leaf tls.Certificate
	// authority is nil for a certificate that was read.
	authority *x509.Certificate
}

// NewCertificate makes a certificate for localhost, 127.0.0.1, ::1 and further hosts, which are names or
// addresses. It is valid from an hour before now, as clocks differ.
func NewCertificate(now time.Time, hosts ...string) (*Certificate, error) {
	root := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "rollcall, this machine only"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(certificateLife), IsCA: true, BasicConstraintsValid: true,
		MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign,
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano() + 1), Subject: pkix.Name{CommonName: "localhost"},
		NotBefore: root.NotBefore, NotAfter: root.NotAfter, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, DNSNames: []string{"localhost"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			leaf.IPAddresses = append(leaf.IPAddresses, ip)
		} else if host != "" {
			leaf.DNSNames = append(leaf.DNSNames, host)
		}
	}
	rootKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make certificate of this machine: %w", err)
	}
	leafKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make certificate of this machine: %w", err)
	}
	rootDER, err := x509.CreateCertificate(rand.Reader, root, root, rootKey.Public(), rootKey)
	if err != nil {
		return nil, fmt.Errorf("make certificate of this machine: %w", err)
	}
	leafDER, err := x509.CreateCertificate(rand.Reader, leaf, root, leafKey.Public(), rootKey)
	if err != nil {
		return nil, fmt.Errorf("make certificate of this machine: %w", err)
	}
	if root, err = x509.ParseCertificate(rootDER); err != nil {
		return nil, fmt.Errorf("make certificate of this machine: %w", err)
	}
	return &Certificate{leaf: tls.Certificate{Certificate: [][]byte{leafDER}, PrivateKey: leafKey}, authority: root}, nil
}

// ReadCertificate reads a certificate chain and its key from files in PEM.
func ReadCertificate(certFile, keyFile string) (*Certificate, error) {
	pair, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, err
	}
	return &Certificate{leaf: pair}, nil
}

// Authority returns the certificate that signed one that was made here; nil for one that was read.
func (c *Certificate) Authority() *x509.Certificate { return c.authority }

// PEM returns the authority's certificate as ROLLCALL_WEBHOOK_CA_FILE takes it. It must have been made here.
func (c *Certificate) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.authority.Raw})
}

// Server returns the TLS settings of a receiver with this certificate.
func (c *Certificate) Server() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{c.leaf}, NextProtos: []string{"h2", "http/1.1"}}
}
