package auth

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the networks whose statement of the client's address is believed (ROLLCALL_TRUSTED_PROXIES). With none,
// the address of the connection counts.
type Proxies []netip.Prefix

// Client returns the address that a request comes from. It is that of the connection; if that is a trusted proxy's,
// it is the rightmost address in X-Forwarded-For or Forwarded (RFC 7239) that is not a proxy's. Addresses further
// left may be invented by the client, who could otherwise evade the limits by address. The result is not valid for
// connections without an address, such as Unix sockets.
func (p Proxies) Client(r *http.Request) netip.Addr {
	conn, ok := parseHost(r.RemoteAddr)
	if !ok || !p.trusts(conn) {
		return conn
	}
	legacy, standard := r.Header["X-Forwarded-For"], r.Header["Forwarded"]
	switch {
	case len(standard) == 0:
		return p.walk(conn, legacy, parseHost)
	case len(legacy) == 0:
		return p.walk(conn, standard, parseForwarded)
	}
	// A proxy writes one of the two and may hand on the other as the client made it up: unless they agree, neither counts.
	if a := p.walk(conn, legacy, parseHost); a == p.walk(conn, standard, parseForwarded) {
		return a
	}
	return conn
}

// walk goes from the connection towards the client. It stops at the first address that is not trusted, or before text
// that is no address.
func (p Proxies) walk(conn netip.Addr, lines []string, parse func(string) (netip.Addr, bool)) netip.Addr {
	hops := strings.Split(strings.Join(lines, ","), ",")
	at := conn
	for _, hop := range slices.Backward(hops) {
		addr, ok := parse(strings.TrimSpace(hop))
		if !ok {
			return at
		}
		if at = addr; !p.trusts(addr) {
			return at
		}
	}
	return at
}

// trusts reports whether a is one of the proxies.
func (p Proxies) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(p, func(n netip.Prefix) bool { return n.Contains(a) })
}

// parseForwarded reads for= of one element of Forwarded, such as for="[2001:db8::1]:4711";proto=https.
func parseForwarded(element string) (netip.Addr, bool) {
	for pair := range strings.SplitSeq(element, ";") {
		name, value, _ := strings.Cut(pair, "=")
		if strings.EqualFold(strings.TrimSpace(name), "for") {
			return parseHost(strings.Trim(strings.TrimSpace(value), `"`))
		}
	}
	return netip.Addr{}, false
}

// parseHost reads an address with or without port and brackets. IPv4 in IPv6 becomes IPv4, so that one client is not
// two.
func parseHost(s string) (netip.Addr, bool) {
	if ap, err := netip.ParseAddrPort(s); err == nil {
		return ap.Addr().Unmap().WithZone(""), true
	}
	a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]"))
	return a.Unmap().WithZone(""), err == nil
}

// network returns the network that one client is assumed to hold: an IPv4 address, or a /64 of IPv6. Counting single
// IPv6 addresses would limit nobody.
func network(a netip.Addr) netip.Addr {
	if a.Is6() {
		if p, err := a.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return a
}
