// Package public says which addresses this service dials for others: those of the public internet, and those that an operator
// opened. Webhooks and sources are dialled through it.
package public

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"syscall"

	"code.dny.dev/ssrf"
)

// ErrNotPublic means that an address is not one of the public internet, so nothing is sent there.
var ErrNotPublic = errors.New("not a public address")

// Guard decides which addresses may be dialled: public ones, and the networks that the operator opened. It is asked at every
// dial about the resolved address. Without it a webhook could make this service read and change things inside the
// operator's network. It is safe for concurrent use.
type Guard struct{ rules *ssrf.Guardian }

// New returns a guard. allow are networks that are opened on any port although they are not public.
//
// What is public follows IANA's special-purpose registries (package ssrf). IPv6 forms that carry an IPv4
// address (mapped, NAT64, 6to4, Teredo) are refused with their ranges.
func New(allow []netip.Prefix) *Guard {
	var v4, v6 []netip.Prefix
	for _, p := range allow {
		if p.Addr().Is4() {
			v4 = append(v4, p)
		} else {
			v6 = append(v6, p)
		}
	}
	return &Guard{rules: ssrf.New(
		ssrf.WithAnyPort(),
		ssrf.WithAllowedV4Prefixes(v4...),
		ssrf.WithAllowedV6Prefixes(v6...),
		// The one address of a cloud's inside that lies in public space: Azure's host agent.
		ssrf.WithDeniedV4Prefixes(netip.MustParsePrefix("168.63.129.16/32")),
	)}
}

// Check returns an error that wraps ErrNotPublic if a may not be dialled.
func (g *Guard) Check(a netip.Addr) error {
	if a.Zone() != "" {
		return fmt.Errorf("%w: %s has a zone", ErrNotPublic, a)
	}
	if err := g.rules.SafeAddr(a); err != nil {
		return fmt.Errorf("%w: %s", ErrNotPublic, a)
	}
	// An opened NAT64 or mapped network must not open what lies behind it.
	if inner, ok := embedded(a); ok {
		if err := g.rules.SafeAddr(inner); err != nil {
			return fmt.Errorf("%w: %s stands for %s", ErrNotPublic, a, inner)
		}
	}
	return nil
}

// Control is for net.Dialer. It sees every address after resolution and before any packet, so a name that
// resolves differently on each question gains nothing.
func (g *Guard) Control(network, address string, _ syscall.RawConn) error {
	if network != "tcp4" && network != "tcp6" {
		return fmt.Errorf("%w: network %s", ErrNotPublic, network)
	}
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrNotPublic, address)
	}
	return g.Check(at.Addr())
}

// embedded returns the IPv4 address that an IPv6 address carries: mapped and compatible (RFC 4291), NAT64 (RFC
// 6052, and 8215's local /48 read as /96), 6to4 (RFC 3056) and Teredo, where it is inverted (RFC 4380).
func embedded(a netip.Addr) (netip.Addr, bool) {
	if a.Is4() {
		return netip.Addr{}, false
	}
	if a.Is4In6() {
		return a.Unmap(), true
	}
	b := a.As16()
	last := binary.BigEndian.Uint32(b[12:])
	switch {
	case within(a, "64:ff9b::/96"), within(a, "64:ff9b:1::/48"), within(a, "::/96") && last > 1:
		return v4(last), true
	case within(a, "2002::/16"):
		return v4(binary.BigEndian.Uint32(b[2:])), true
	case within(a, "2001::/32"):
		return v4(^last), true
	}
	return netip.Addr{}, false
}

func within(a netip.Addr, network string) bool { return netip.MustParsePrefix(network).Contains(a) }

func v4(n uint32) netip.Addr {
	return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, n)))
}
