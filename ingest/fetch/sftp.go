package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path"
	"path/filepath"
	"regexp"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

// Login is what an SFTP server wants to know. It comes from the environment, never from a source document.
type Login struct {
	User       string
	Password   string
	KeyFile    string // of a private key without a passphrase
	KnownHosts string // file of the servers' keys, in the form of OpenSSH; needed: an unknown server is not trusted
}

// Download copies the files of the SFTP folder whose names fit the pattern into dir and gives their names.
// Files that begin with a dot are still being written and wait for the next time.
func (s *Spec) Download(ctx context.Context, login Login, bounds Bounds, dir string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, bounds.Time)
	defer cancel()
	pattern, err := regexp.Compile(s.Pattern)
	if err != nil {
		return nil, fmt.Errorf("read pattern: %w", err)
	}
	conn, err := s.dial(ctx, login)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	client, err := sftp.NewClient(conn)
	if err != nil {
		return nil, fmt.Errorf("open SFTP: %w", err)
	}
	defer func() { _ = client.Close() }()
	entries, err := client.ReadDir(s.Folder)
	if err != nil {
		return nil, fmt.Errorf("list SFTP folder: %w", err)
	}
	var files []string
	left := bounds.Bytes
	for _, e := range entries {
		if !e.Mode().IsRegular() || e.Name()[0] == '.' || !pattern.MatchString(e.Name()) {
			continue
		}
		if len(files) == bounds.Pages {
			return nil, fmt.Errorf("%w: more than %d files", ErrIncomplete, bounds.Pages)
		}
		to := filepath.Join(dir, filepath.Base(e.Name()))
		n, err := download(client, path.Join(s.Folder, e.Name()), to, left)
		if err != nil {
			return nil, err
		}
		left -= n
		files = append(files, to)
	}
	return files, nil
}

func (s *Spec) dial(ctx context.Context, login Login) (*ssh.Client, error) {
	if login.KnownHosts == "" {
		return nil, errors.New("an SFTP source needs the servers' keys: ROLLCALL_SFTP_KNOWN_HOSTS")
	}
	trusted, err := knownhosts.New(login.KnownHosts)
	if err != nil {
		return nil, fmt.Errorf("read known hosts: %w", err)
	}
	config := &ssh.ClientConfig{User: login.User, HostKeyCallback: trusted}
	if login.KeyFile != "" {
		text, err := os.ReadFile(login.KeyFile)
		if err != nil {
			return nil, fmt.Errorf("read SFTP key: %w", err)
		}
		key, err := ssh.ParsePrivateKey(text)
		if err != nil {
			return nil, fmt.Errorf("read SFTP key: %w", err)
		}
		config.Auth = append(config.Auth, ssh.PublicKeys(key))
	}
	if login.Password != "" {
		config.Auth = append(config.Auth, ssh.Password(login.Password))
	}
	raw, err := new(net.Dialer).DialContext(ctx, "tcp", s.Server)
	if err != nil {
		return nil, fmt.Errorf("reach SFTP server: %w", err)
	}
	if at, ok := ctx.Deadline(); ok {
		_ = raw.SetDeadline(at)
	}
	conn, channels, requests, err := ssh.NewClientConn(raw, s.Server, config)
	if err != nil {
		_ = raw.Close()
		return nil, fmt.Errorf("sign in to SFTP server: %w", err)
	}
	return ssh.NewClient(conn, channels, requests), nil
}

func download(client *sftp.Client, from, to string, left int64) (int64, error) {
	in, err := client.Open(from)
	if err != nil {
		return 0, fmt.Errorf("open %s: %w", path.Base(from), err)
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(filepath.Clean(to), os.O_CREATE|os.O_WRONLY|os.O_EXCL, 0o600)
	if err != nil {
		return 0, fmt.Errorf("keep %s: %w", path.Base(from), err)
	}
	n, err := io.Copy(out, io.LimitReader(in, left+1))
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return n, fmt.Errorf("%w: read %s: %w", ErrIncomplete, path.Base(from), err)
	}
	if n > left {
		return n, fmt.Errorf("%w: more bytes than the limits allow", ErrIncomplete)
	}
	return n, nil
}
