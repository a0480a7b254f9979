package service

import (
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"rollcall/ingest"
	"rollcall/ingest/fetch"
	"rollcall/models"
)

// Config is the environment, read and checked once. README.md lists what each variable does.
type Config struct {
	DatabaseURL    string         // ROLLCALL_DATABASE_URL; empty: embedded PostgreSQL
	ReadReplicaURL string         // ROLLCALL_READ_REPLICA_URL
	DataDir        string         // ROLLCALL_DATA_DIR, absolute
	PGBin          string         // ROLLCALL_PG_BIN: directory of the PostgreSQL binaries
	Addr           string         // ROLLCALL_ADDR
	BaseURL        string         // ROLLCALL_BASE_URL, ends in /v1
	MetricsAddr    string         // ROLLCALL_METRICS_ADDR; "off": none
	RedisURL       string         // ROLLCALL_REDIS_URL; empty: limits count in this process
	SecretKey      string         // ROLLCALL_SECRET_KEY; empty: a file in the data directory
	CORSOrigins    []string       // ROLLCALL_CORS_ORIGINS, comma-separated
	TrustedProxies []netip.Prefix // ROLLCALL_TRUSTED_PROXIES, comma-separated networks
	WebhookAllow   []netip.Prefix // ROLLCALL_WEBHOOK_ALLOW: networks opened for tests
	WebhookCAFile  string         // ROLLCALL_WEBHOOK_CA_FILE
	WebhookSecret  string         // ROLLCALL_WEBHOOK_SECRET, of the account that webhook listen receives for
	Keys           fetch.Keys     // ROLLCALL_SFTP_USER, _PASSWORD, _KEY_FILE, _KNOWN_HOSTS; ROLLCALL_S3_KEY, _SECRET, _SESSION; ROLLCALL_AZURE_SAS
	RawDays        int            // ROLLCALL_RAW_DAYS: how long raw documents and quarantined rows are kept
	DeliveryDays   int            // ROLLCALL_DELIVERY_DAYS: how long deliveries and their attempts are kept
	EventDays      int            // ROLLCALL_EVENT_DAYS: how long events are kept
	ListIndex      bool           // ROLLCALL_LIST_INDEX, off: lists are answered by SQL alone
	MaxWatchers    int            // ROLLCALL_MAX_ALERTS: active alerts of an account
	BaselineWindow time.Duration  // ROLLCALL_BASELINE_WINDOW: how old a booking may be to fire on a source's first run
	ResultCache    int            // ROLLCALL_RESULT_CACHE, MiB of answers given again until their records change; off: 0
	RecordCache    int            // ROLLCALL_RECORD_CACHE, MiB of records kept until they change; off: 0
	LogLevel       slog.Level     // ROLLCALL_LOG_LEVEL

	given map[string]bool // variables that are set
}

// Unset reports whether a variable was left to its default. The demo and work choose other defaults then.
func (c *Config) Unset(name string) bool { return !c.given[name] }

// ReadConfig reads the environment through getenv. Its errors name the variable and the values that it takes, never a
// secret.
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
		CORSOrigins:    list(get("ROLLCALL_CORS_ORIGINS", "")),
		WebhookCAFile:  get("ROLLCALL_WEBHOOK_CA_FILE", ""),
		WebhookSecret:  get("ROLLCALL_WEBHOOK_SECRET", ""),
		ListIndex:      get("ROLLCALL_LIST_INDEX", "on") != "off",
	}
	c.given = given
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
	c.Keys = placeKeys(getenv)
	for _, of := range []struct {
		days      *int
		name      string
		otherwise time.Duration
	}{{&c.RawDays, "ROLLCALL_RAW_DAYS", ingest.KeepRaw}, {&c.DeliveryDays, "ROLLCALL_DELIVERY_DAYS", models.KeepDeliveries}, {&c.EventDays, "ROLLCALL_EVENT_DAYS", models.KeepEvents}} {
		if *of.days, err = strconv.Atoi(get(of.name, strconv.Itoa(int(of.otherwise/(24*time.Hour))))); err != nil || *of.days < 1 || *of.days > 3650 {
			return c, fmt.Errorf("%s takes a number of days from 1 to 3650, not %q", of.name, getenv(of.name))
		}
	}
	return c, c.readLimits(get)
}

// readLimits reads sizes, networks, numbers and the level of the log; get returns a variable, or the default beside it.
func (c *Config) readLimits(get func(name, otherwise string) string) (err error) {
	if c.ResultCache, err = mebibytes(get("ROLLCALL_RESULT_CACHE", "64")); err != nil {
		return fmt.Errorf("ROLLCALL_RESULT_CACHE: %w", err)
	}
	if c.RecordCache, err = mebibytes(get("ROLLCALL_RECORD_CACHE", "96")); err != nil {
		return fmt.Errorf("ROLLCALL_RECORD_CACHE: %w", err)
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
	if c.BaselineWindow, err = time.ParseDuration(get("ROLLCALL_BASELINE_WINDOW", models.DefaultBaselineWindow.String())); err != nil || c.BaselineWindow <= 0 {
		return fmt.Errorf("ROLLCALL_BASELINE_WINDOW takes a duration such as 24h, not %q", get("ROLLCALL_BASELINE_WINDOW", ""))
	}
	if err := c.LogLevel.UnmarshalText([]byte(get("ROLLCALL_LOG_LEVEL", "info"))); err != nil {
		return fmt.Errorf("ROLLCALL_LOG_LEVEL takes debug, info, warn or error, not %q", get("ROLLCALL_LOG_LEVEL", ""))
	}
	return nil
}

// placeKeys are what opens the places where files are dropped.
func placeKeys(getenv func(string) string) fetch.Keys {
	return fetch.Keys{
		SFTP:     fetch.Login{User: getenv("ROLLCALL_SFTP_USER"), Password: getenv("ROLLCALL_SFTP_PASSWORD"), KeyFile: getenv("ROLLCALL_SFTP_KEY_FILE"), KnownHosts: getenv("ROLLCALL_SFTP_KNOWN_HOSTS")},
		S3:       fetch.S3Key{ID: getenv("ROLLCALL_S3_KEY"), Secret: getenv("ROLLCALL_S3_SECRET"), Session: getenv("ROLLCALL_S3_SESSION")},
		AzureSAS: getenv("ROLLCALL_AZURE_SAS"),
	}
}

// mebibytes reads the size of a memory; off is 0.
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

// checkBaseURL refuses an address without /v1: links in webhooks and pages are built from it.
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

// networks reads addresses and networks such as 10.0.0.0/8 or 127.0.0.1.
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

// IsTerminal reports whether f is a character device, where people read.
func IsTerminal(f any) bool {
	file, ok := f.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
