package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path"
	"time"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

// Login is what an SFTP server needs. It comes from the environment, never from a source document.
type Login struct {
	User     string
	Password string
	// KeyFile holds a private key without a passphrase; empty to use the password alone.
	KeyFile string
	// KnownHosts is a file of the servers' keys, in the form of OpenSSH. It is required: an unknown server is
	// not trusted.
	KnownHosts string
	// Patience is how long signing in may take; 0: 20 seconds.
	Patience time.Duration
}

// signInTime is how long signing in may take: a server that hangs must leave time for others.
const signInTime = 20 * time.Second

// sftpFolder is a folder of an SFTP server.
type sftpFolder struct {
	conn   *ssh.Client
	client *sftp.Client
	folder string
	// stop keeps the end of the context from closing the connection a second time.
	stop func() bool
}

// sftp signs in; the connection ends with ctx. A server that keeps the caller waiting is not reached.
func (s *Spec) sftp(ctx context.Context, login Login) (place, error) {
	patience := login.Patience
	if patience == 0 {
		patience = signInTime
	}
	signing, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	conn, err := s.dial(signing, login)
	if err != nil {
		return nil, err
	}
	waits := context.AfterFunc(signing, func() { _ = conn.Close() })
	client, err := sftp.NewClient(conn)
	if !waits() && err == nil {
		err = signing.Err()
	}
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("open SFTP: %w", err)
	}
	return &sftpFolder{conn: conn, client: client, folder: s.Folder, stop: context.AfterFunc(ctx, func() { _ = conn.Close() })}, nil
}

// list yields the regular files of the folder.
func (f *sftpFolder) list(ctx context.Context, each func(Object) error) error {
	entries, err := f.client.ReadDirContext(ctx, f.folder)
	if err != nil {
		return fmt.Errorf("list SFTP folder: %w", err)
	}
	for _, e := range entries {
		if !e.Mode().IsRegular() {
			continue
		}
		if err := each(fileObject(e)); err != nil {
			return err
		}
	}
	return nil
}

// open opens a file of the folder; Base keeps a name from leading out of it.
func (f *sftpFolder) open(_ context.Context, name string) (io.ReadCloser, error) {
	return f.client.Open(path.Join(f.folder, path.Base(name)))
}

// close ends the session and the connection.
func (f *sftpFolder) close() {
	f.stop()
	_ = f.client.Close()
	_ = f.conn.Close()
}

// dial connects to a server whose key is known, and signs in before the end of ctx. An unknown key is an error: a person in the middle could
// release everybody.
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
	waits := context.AfterFunc(ctx, func() { _ = raw.Close() })
	conn, channels, requests, err := ssh.NewClientConn(raw, s.Server, config)
	if !waits() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = raw.Close()
		return nil, fmt.Errorf("sign in to SFTP server: %w", err)
	}
	return ssh.NewClient(conn, channels, requests), nil
}
