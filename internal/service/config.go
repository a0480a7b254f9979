package service

import (
	"fmt"
	"log/slog"
	"net/mail"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"rollcall/ingest/fetch"
	"rollcall/ingest/raw"
	"rollcall/models"
	"rollcall/models/snapshot"
	sender "rollcall/notifier/mail"
	"rollcall/photo/vault"
)

// Config is the environment, read and checked once. README.md lists what each variable does for an operator;
// the names are repeated here, so that a search for a variable finds its use. Strings are trimmed, and a
// variable that holds only blanks counts as unset.
type Config struct {
	// DatabaseURL is ROLLCALL_DATABASE_URL; empty means the embedded PostgreSQL.
	DatabaseURL string
	// ReadReplicaURL is ROLLCALL_READ_REPLICA_URL. It is read but not used: every statement goes to
	// DatabaseURL.
	ReadReplicaURL string
	// DataDir is ROLLCALL_DATA_DIR, made absolute. It holds the embedded database, the secret key and the
	// operator's own source documents.
	DataDir string
	// PGBin is ROLLCALL_PG_BIN, the directory of PostgreSQL's programs; empty means that they are searched for.
	PGBin string
	// Addr is ROLLCALL_ADDR, on which the API listens. Port 0 takes a free port.
	Addr string
	// BaseURL is ROLLCALL_BASE_URL, without a slash at its end. It always ends in /v1.
	BaseURL string
	// MetricsAddr is ROLLCALL_METRICS_ADDR; "off" means no metrics.
	MetricsAddr string
	// RedisURL is ROLLCALL_REDIS_URL; empty means that rate limits are counted in this process. Replicas
	// without it allow the limit each.
	RedisURL string
	// SecretKey is ROLLCALL_SECRET_KEY; empty means a file in the data directory (App.Secret).
	SecretKey string
	// OldSecretKeys is ROLLCALL_SECRET_KEYS_OLD: further keys that what is stored may be under.
	OldSecretKeys []string
	// CORSOrigins is ROLLCALL_CORS_ORIGINS, the origins whose pages may call the API.
	CORSOrigins []string
	// TrustedProxies is ROLLCALL_TRUSTED_PROXIES, the proxies whose X-Forwarded-For is believed. Any caller
	// could choose its address otherwise.
	TrustedProxies []netip.Prefix
	// WebhookAllow is ROLLCALL_WEBHOOK_ALLOW, networks that webhooks may reach although they are not public.
	WebhookAllow []netip.Prefix
	// WebhookCAFile is ROLLCALL_WEBHOOK_CA_FILE, authorities in PEM that are trusted beside the system's.
	WebhookCAFile string
	// WebhookSecret is ROLLCALL_WEBHOOK_SECRET, which only `webhook listen` uses.
	WebhookSecret string
	// SMTP is ROLLCALL_SMTP_URL, the server that takes mails; nil means that this service sends none.
	SMTP *sender.Server
	// MailFrom is ROLLCALL_MAIL_FROM, who the mails are from; set together with SMTP.
	MailFrom *mail.Address
	// Keys open the servers and buckets where files are dropped: ROLLCALL_SFTP_*, ROLLCALL_S3_* and
	// ROLLCALL_AZURE_SAS. They are not part of source documents, which may be shared.
	Keys fetch.Keys
	// Photographs is ROLLCALL_PHOTOGRAPHS, where pictures are kept: a directory, or the address of a bucket.
	Photographs string
	// PhotographKeys open that bucket: ROLLCALL_PHOTOGRAPHS_KEY, _SECRET, _SESSION and _SAS.
	PhotographKeys vault.Keys
	// Verifier is true when ROLLCALL_FACES is on: photographs of linked records are compared.
	Verifier bool
	// RawDays is ROLLCALL_RAW_DAYS: for how many days raw documents and quarantined rows are kept.
	RawDays int
	// RawSize is ROLLCALL_RAW_SIZE: how many MiB all raw documents may take, encrypted; 0 means no bound.
	RawSize int
	// DeliveryDays is ROLLCALL_DELIVERY_DAYS: for how many days ended deliveries are kept, with their attempts.
	DeliveryDays int
	// EventDays is ROLLCALL_EVENT_DAYS: for how many days events are kept.
	EventDays int
	// ListIndex is false when ROLLCALL_LIST_INDEX is off. SQL then answers every list.
	ListIndex bool
	// MaxWatchers is ROLLCALL_MAX_ALERTS, the active watchers that an account may have.
	MaxWatchers int
	// BaselineWindow is ROLLCALL_BASELINE_WINDOW: how old a booking may be to raise an event on the first run
	// of a source or after an outage (DECISIONS.md, Alerts).
	BaselineWindow time.Duration
	// ResultCache is ROLLCALL_RESULT_CACHE, the size of the response cache in MiB; 0 means none.
	ResultCache int
	// RecordCache is ROLLCALL_RECORD_CACHE, the size of the record cache in MiB; 0 means none.
	RecordCache int
	// LogLevel is ROLLCALL_LOG_LEVEL, info by default.
	LogLevel slog.Level

	// given are the variables that are set. The demo and `work` need to know which values are defaults.
	given map[string]bool
}

// Unset reports whether a variable was left to its default. The demo and `work` then choose another default.
// Variables that open dropped files are not covered.
func (c *Config) Unset(name string) bool { return !c.given[name] }

// ReadConfig reads the environment through getenv and checks each value. An error names the variable and the
// values that it takes. It never contains a secret, because errors of settings end in logs. Addresses and files
// are not tried here: a wrong one is reported by the part that needs it.
func ReadConfig(getenv func(string) string) (Config, error) {
	given := map[string]bool{}
	get := func(name, otherwise string) string {
		if v := strings.TrimSpace(getenv(name)); v != "" {
			given[name] = true
			return v
		}
		return otherwise
	}
	c := Config{
		DatabaseURL:    get("ROLLCALL_DATABASE_URL", ""),
		ReadReplicaURL: get("ROLLCALL_READ_REPLICA_URL", ""),
		PGBin:          get("ROLLCALL_PG_BIN", ""),
		Addr:           get("ROLLCALL_ADDR", ":8080"),
		BaseURL:        strings.TrimRight(get("ROLLCALL_BASE_URL", "http://localhost:8080/v1"), "/"),
		MetricsAddr:    get("ROLLCALL_METRICS_ADDR", "127.0.0.1:9090"),
		RedisURL:       get("ROLLCALL_REDIS_URL", ""),
		SecretKey:      get("ROLLCALL_SECRET_KEY", ""),
		OldSecretKeys:  list(get("ROLLCALL_SECRET_KEYS_OLD", "")),
		CORSOrigins:    list(get("ROLLCALL_CORS_ORIGINS", "")),
		WebhookCAFile:  get("ROLLCALL_WEBHOOK_CA_FILE", ""),
		WebhookSecret:  get("ROLLCALL_WEBHOOK_SECRET", ""),
		ListIndex:      get("ROLLCALL_LIST_INDEX", "on") != "off",
	}
	c.given = given
	if v := get("ROLLCALL_LIST_INDEX", "on"); v != "on" && v != "off" {
		return c, fmt.Errorf("ROLLCALL_LIST_INDEX takes on or off, not %q", v)
	}
	var err error
	if c.DataDir, err = filepath.Abs(get("ROLLCALL_DATA_DIR", ".rollcall")); err != nil {
		return c, fmt.Errorf("ROLLCALL_DATA_DIR: %w", err)
	}
	if err := checkBaseURL(c.BaseURL); err != nil {
		return c, err
	}
	if c.SecretKey != "" && len(c.SecretKey) < minSecret {
		return c, fmt.Errorf("ROLLCALL_SECRET_KEY is shorter than %d characters; make one with: openssl rand -base64 32", minSecret)
	}
	for _, old := range c.OldSecretKeys {
		if len(old) < minSecret {
			return c, fmt.Errorf("ROLLCALL_SECRET_KEYS_OLD takes keys of at least %d characters, separated by commas", minSecret)
		}
	}
	c.Keys = placeKeys(getenv)
	c.Photographs = get("ROLLCALL_PHOTOGRAPHS", filepath.Join(c.DataDir, "photographs"))
	c.PhotographKeys = vault.Keys{
		S3ID: getenv("ROLLCALL_PHOTOGRAPHS_KEY"), S3Secret: getenv("ROLLCALL_PHOTOGRAPHS_SECRET"), S3Session: getenv("ROLLCALL_PHOTOGRAPHS_SESSION"),
		AzureSAS: getenv("ROLLCALL_PHOTOGRAPHS_SAS"),
	}
	switch v := get("ROLLCALL_FACES", "off"); v {
	case "on", "off":
		c.Verifier = v == "on"
	default:
		return c, fmt.Errorf("ROLLCALL_FACES takes on or off, not %q", v)
	}
	for _, of := range []struct {
		days      *int
		name      string
		otherwise time.Duration
	}{
		{&c.RawDays, "ROLLCALL_RAW_DAYS", raw.Keep},
		{&c.DeliveryDays, "ROLLCALL_DELIVERY_DAYS", models.KeepDeliveries},
		{&c.EventDays, "ROLLCALL_EVENT_DAYS", models.KeepEvents},
	} {
		if *of.days, err = strconv.Atoi(get(of.name, strconv.Itoa(int(of.otherwise/(24*time.Hour))))); err != nil || *of.days < 1 || *of.days > 3650 {
			return c, fmt.Errorf("%s takes a number of days from 1 to 3650, not %q", of.name, getenv(of.name))
		}
	}
	if err := c.readMail(get); err != nil {
		return c, err
	}
	return c, c.readLimits(get)
}

// readLimits reads sizes, networks, numbers and the log level. get returns a variable, or the default beside
// it.
func (c *Config) readLimits(get func(name, otherwise string) string) (err error) {
	if c.ResultCache, err = mebibytes(get("ROLLCALL_RESULT_CACHE", "64")); err != nil {
		return fmt.Errorf("ROLLCALL_RESULT_CACHE: %w", err)
	}
	if c.RecordCache, err = mebibytes(get("ROLLCALL_RECORD_CACHE", "96")); err != nil {
		return fmt.Errorf("ROLLCALL_RECORD_CACHE: %w", err)
	}
	if c.RawSize, err = mebibytes(get("ROLLCALL_RAW_SIZE", strconv.Itoa(raw.KeepBytes>>20))); err != nil {
		return fmt.Errorf("ROLLCALL_RAW_SIZE: %w", err)
	}
	if c.TrustedProxies, err = networks(get("ROLLCALL_TRUSTED_PROXIES", "")); err != nil {
		return fmt.Errorf("ROLLCALL_TRUSTED_PROXIES: %w", err)
	}
	if c.WebhookAllow, err = networks(get("ROLLCALL_WEBHOOK_ALLOW", "")); err != nil {
		return fmt.Errorf("ROLLCALL_WEBHOOK_ALLOW: %w", err)
	}
	if c.MaxWatchers, err = strconv.Atoi(get("ROLLCALL_MAX_ALERTS", strconv.Itoa(models.DefaultMaxWatchers))); err != nil || c.MaxWatchers < 1 {
		return fmt.Errorf("ROLLCALL_MAX_ALERTS takes a number from 1 on, not %q", get("ROLLCALL_MAX_ALERTS", ""))
	}
	if c.BaselineWindow, err = time.ParseDuration(get("ROLLCALL_BASELINE_WINDOW", snapshot.DefaultBaselineWindow.String())); err != nil || c.BaselineWindow <= 0 {
		return fmt.Errorf("ROLLCALL_BASELINE_WINDOW takes a duration such as 24h, not %q", get("ROLLCALL_BASELINE_WINDOW", ""))
	}
	if err := c.LogLevel.UnmarshalText([]byte(get("ROLLCALL_LOG_LEVEL", "info"))); err != nil {
		return fmt.Errorf("ROLLCALL_LOG_LEVEL takes debug, info, warn or error, not %q", get("ROLLCALL_LOG_LEVEL", ""))
	}
	return nil
}

// placeKeys reads what opens the places where files are dropped. It is not trimmed: a password may begin or end
// with a blank.
func placeKeys(getenv func(string) string) fetch.Keys {
	return fetch.Keys{
		SFTP: fetch.Login{
			User: getenv("ROLLCALL_SFTP_USER"), Password: getenv("ROLLCALL_SFTP_PASSWORD"),
			KeyFile: getenv("ROLLCALL_SFTP_KEY_FILE"), KnownHosts: getenv("ROLLCALL_SFTP_KNOWN_HOSTS"),
		},
		S3:       fetch.S3Key{ID: getenv("ROLLCALL_S3_KEY"), Secret: getenv("ROLLCALL_S3_SECRET"), Session: getenv("ROLLCALL_S3_SESSION")},
		AzureSAS: getenv("ROLLCALL_AZURE_SAS"),
	}
}

// mebibytes reads the size of a cache in MiB; off is 0. One TiB is the largest size.
func mebibytes(s string) (int, error) {
	if s == "off" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1<<20 {
		return 0, fmt.Errorf("takes a number of MiB, or off, not %q", s)
	}
	return n, nil
}

// checkBaseURL refuses an address that does not end in /v1. Links in responses, webhooks and pages are built
// from it, never from the Host header of a request, which a caller chooses.
func checkBaseURL(s string) error {
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || !strings.HasSuffix(u.Path, "/v1") {
		return fmt.Errorf("ROLLCALL_BASE_URL is an address that ends in /v1, like https://api.example.org/v1, not %q", s)
	}
	return nil
}

// list splits a comma-separated setting; blanks and empty elements are dropped.
func list(s string) []string {
	var out []string
	for e := range strings.SplitSeq(s, ",") {
		if e = strings.TrimSpace(e); e != "" {
			out = append(out, e)
		}
	}
	return out
}

// networks reads a list of addresses and networks such as 10.0.0.0/8 or 127.0.0.1. A single address is the
// network of that address alone.
func networks(s string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, e := range list(s) {
		if a, err := netip.ParseAddr(e); err == nil {
			out = append(out, netip.PrefixFrom(a, a.BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(e)
		if err != nil {
			return nil, fmt.Errorf("%q is not a network like 10.0.0.0/8", e)
		}
		out = append(out, p.Masked())
	}
	return out, nil
}

// IsTerminal reports whether f is a character device, as a terminal is. It is false for anything that is not an
// *os.File.
func IsTerminal(f any) bool {
	file, ok := f.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
