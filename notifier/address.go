package notifier

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"rollcall/internal/public"
	"rollcall/models"
)

const (
	maxURL        = 2048
	maxName       = 253
	lookupTimeout = 3 * time.Second
)

// Resolver returns the addresses of a name; *net.Resolver implements it.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// CheckURL returns an error if address may not be registered (DECISIONS.md, "Webhooks"). It must be https on
// any port, without user info and fragment. Its host must be a name, or a public IP address in its ordinary
// notation. A name with any address that is not public is refused. A name that does not resolve, yet or for a
// while, is accepted, as each dial checks again, unless no name of the internet is like it. The error is a
// sentence for the user who registers it; it never contains what a name resolves to.
func CheckURL(ctx context.Context, g *public.Guard, names Resolver, address string) error {
	host, err := hostOf(address)
	if err != nil {
		return err
	}
	if ip, isIP, err := literal(host); err != nil {
		return err
	} else if isIP {
		return publicHost(g.Check(ip))
	}
	if isLocalhost(host) {
		return publicHost(g.Check(netip.AddrFrom4([4]byte{127, 0, 0, 1})))
	}
	if err := checkName(host); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	found, err := names.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return publicName(host) // a name that does not resolve yet is accepted; the dialer checks what it becomes
	}
	for _, ip := range found {
		// A resolver returns IPv4 addresses in their mapped form on some systems; the dialer unmaps them as well.
		if err := publicHost(g.Check(ip.Unmap())); err != nil {
			return err
		}
	}
	return nil
}

// insideSuffixes end names that never resolve on the internet: RFC 6762 (local), RFC 8375 (home.arpa), ICANN's resolution
// of 2024 (internal) and those that networks of one's own use.
var insideSuffixes = []string{
	".internal", ".local", ".localdomain", ".lan", ".home", ".corp", ".intranet", ".private", ".home.arpa", ".svc", ".onion",
}

// publicName returns an error for a name that does not resolve and never will on the internet.
func publicName(host string) error {
	name := strings.TrimSuffix(host, ".")
	inside := slices.ContainsFunc(insideSuffixes, func(s string) bool { return strings.HasSuffix(name, s) })
	if inside || !strings.Contains(name, ".") {
		return &models.NotPublicError{Message: "this host name is not public: it does not resolve outside of a private network; use a public host name"}
	}
	return nil
}

// publicHost keeps the address that a name resolved to out of the message: it may be one of our own network.
func publicHost(err error) error {
	if err == nil {
		return nil
	}
	return &models.NotPublicError{Message: "this host is not public: it has a private, local or reserved IP address"}
}

// hostOf checks everything of an address but where its host is. It returns the host in lower case, without port
// and brackets.
func hostOf(address string) (string, error) {
	if len(address) > maxURL {
		return "", fmt.Errorf("the address is longer than %d characters", maxURL)
	}
	for _, r := range address {
		if r <= ' ' || r == 0x7f || r == '\\' {
			return "", errors.New("the address has a space, a control character or a backslash; remove it")
		}
	}
	u, err := url.Parse(address)
	if ownMachine(address) {
		return "", &models.NotPublicError{Message: "the address must start with https://"}
	}
	if err != nil || u.Opaque != "" {
		return "", errors.New("the address is not a URL like https://example.org/hooks")
	}
	switch {
	case u.Scheme == "http":
		return "", &models.NotPublicError{Message: "the address must start with https://, because http is not encrypted"}
	case u.Scheme != "https":
		return "", errors.New("the address must start with https://")
	case u.User != nil:
		return "", errors.New("the address must not hold a user or password")
	case strings.Contains(address, "#"):
		return "", errors.New("the address must not hold a fragment (#)")
	case u.Hostname() == "":
		return "", errors.New("the address has no host")
	}
	if port := u.Port(); port != "" || strings.HasSuffix(u.Host, ":") {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return "", errors.New("the port is not a number from 1 to 65535")
		}
	}
	host := u.Hostname()
	if strings.HasPrefix(u.Host, "[") {
		return strings.ToLower(host), nil
	}
	ascii, err := idna.Lookup.ToASCII(host) // as net/http does; it also folds full-width digits and dots
	if err != nil {
		ascii = host // underscores and the like; checkName judges
	}
	return strings.ToLower(ascii), nil
}

// ownMachine reports whether an address without a scheme, such as localhost:9999, looks like a receiver on somebody's own machine.
func ownMachine(address string) bool {
	if strings.Contains(address, "://") {
		return false
	}
	u, err := url.Parse("https://" + address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return isLocalhost(strings.ToLower(u.Hostname())) || err == nil && (ip.IsLoopback() || ip.IsPrivate())
}

// literal reads host as an IP address. Notations of IPv4 that only some resolvers understand are refused:
// octal, hexadecimal, one number, fewer than four parts, a trailing dot. Where they lead is decided by the host
// that dials, so they could pass this check and reach an inside address.
func literal(host string) (ip netip.Addr, isIP bool, err error) {
	if strings.Contains(host, ":") {
		ip, err := netip.ParseAddr(host)
		if err != nil || ip.Zone() != "" {
			return ip, true, errors.New("the host is not a valid IPv6 address; a zone (%) is not allowed")
		}
		return ip, true, nil
	}
	if !endsInNumber(host) {
		return ip, false, nil
	}
	ip, err = netip.ParseAddr(host)
	if err != nil {
		return ip, true, errors.New("an IP address is written as four decimal numbers, like 198.51.100.7")
	}
	return ip, true, nil
}

// endsInNumber reports whether browsers take a host for an IPv4 address in any notation (WHATWG URL, "ends in a
// number"). No top-level domain is a number.
func endsInNumber(host string) bool {
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	last := labels[len(labels)-1]
	if last != "" && strings.Trim(last, "0123456789") == "" {
		return true
	}
	digits, hex := strings.CutPrefix(last, "0x")
	return hex && strings.Trim(digits, "0123456789abcdef") == ""
}

// isLocalhost reports whether a name always means the machine itself (RFC 6761, 6.3).
func isLocalhost(host string) bool {
	host = strings.TrimSuffix(host, ".")
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// checkName checks the form of a name: labels of 1 to 63 letters, digits, hyphens and underscores.
func checkName(host string) error {
	host = strings.TrimSuffix(host, ".")
	if len(host) > maxName {
		return fmt.Errorf("the host is longer than %d characters", maxName)
	}
	for label := range strings.SplitSeq(host, ".") {
		if len(label) > 63 || !isToken(label) {
			return errors.New("the host is not a name like example.org")
		}
	}
	return nil
}
