package main

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

// localCertLife is how long a certificate of this machine is good: as long as somebody may leave a receiver running.
const localCertLife = 30 * 24 * time.Hour

// localCert is a certificate for this machine's own addresses, and the authority that signed it. It is for receivers that
// run beside rollcall (webhook listen, demo): deliveries always verify TLS, so they need something to verify. The
// authority's key is thrown away: it signs nothing else.
type localCert struct {
	leaf      tls.Certificate
	authority *x509.Certificate
}

// newLocalCert makes a certificate for localhost, 127.0.0.1, ::1 and further hosts.
func newLocalCert(now time.Time, hosts ...string) (*localCert, error) {
	root := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "rollcall, this machine only"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(localCertLife), IsCA: true, BasicConstraintsValid: true,
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
	return &localCert{leaf: tls.Certificate{Certificate: [][]byte{leafDER}, PrivateKey: leafKey}, authority: root}, nil
}

// pem is the authority's certificate as ROLLCALL_WEBHOOK_CA_FILE takes it.
func (c *localCert) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.authority.Raw})
}

// server is the TLS side of a receiver with this certificate.
func (c *localCert) server() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{c.leaf}, NextProtos: []string{"h2", "http/1.1"}}
}
