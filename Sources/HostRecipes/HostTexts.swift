// Generated from Hosts/ by 'make docs'; do not edit.

enum HostTexts {
    static let all: [String] = [
        #"""
        host: apache
        title: Apache HTTP Server
        folder: any folder that Apache may read
        checked: 2026-11-22
        source: tried with Apache 2.4 of Debian 12, by the tests of this project
        source: https://httpd.apache.org/docs/2.4/rewrite/flags.html#flag_end
        source: https://httpd.apache.org/docs/2.4/sections.html
        source: https://httpd.apache.org/docs/2.4/mod/core.html#forcetype

        == file aasa.apache.conf
        # Made by 'aasa export {{host}}' ({{version}}).
        # Include it as the first line of the <VirtualHost> that answers https:
        #     Include {{configuration:apache}}
        # It needs mod_rewrite: a2enmod rewrite

        RewriteEngine On
        # [END] stops the rules that come after it, such as a redirect, the fallback of a single-page application, or a rule that
        # denies names with a dot. Because the target is a file, a 'Redirect' or 'ProxyPass' does not answer either.
        {{if association}}
        RewriteRule "^/\.well-known/apple-app-site-association$" {{association:apacheTarget}} [END]
        {{end}}
        {{if links}}
        RewriteRule "^/\.well-known/assetlinks\.json$" {{links:apacheTarget}} [END]
        {{end}}

        # <If> is merged after all other sections: it also wins over a <Location> with a password, and over a <DirectoryMatch> that
        # denies names with a dot.
        {{if association}}
        <If "%{REQUEST_URI} == '/.well-known/apple-app-site-association'">
            # The name has no extension: without this it would have no type. No '; charset=utf-8' is added to it.
            ForceType application/json
            # A program or a proxy that answers for the whole site does not answer here.
            SetHandler None
            # Apple cannot log in,
            AuthType None
            # and the folder need not be one that Apache may show otherwise.
            Require all granted
            <IfModule mod_headers.c>
                # A file that is cached for a year is wrong for a year.
                Header set Cache-Control "public, max-age=3600"
                Header unset Expires
            </IfModule>
        </If>
        {{end}}
        {{if links}}
        <If "%{REQUEST_URI} == '/.well-known/assetlinks.json'">
            # No '; charset=utf-8' after the type, whatever AddCharset says about .json.
            ForceType application/json
            # A program or a proxy that answers for the whole site does not answer here.
            SetHandler None
            # Google cannot log in,
            AuthType None
            # and the folder need not be one that Apache may show otherwise.
            Require all granted
            <IfModule mod_headers.c>
                # A file that is cached for a year is wrong for a year.
                Header set Cache-Control "public, max-age=3600"
                Header unset Expires
            </IfModule>
        </If>
        {{end}}

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - switch mod_rewrite on: a2enmod rewrite
        - write this as the first line of the <VirtualHost> for https: Include {{configuration:apache}}
        - check the configuration and reload: apachectl configtest && apachectl graceful

        == notes
        - a <VirtualHost> of its own that redirects {{domain}} to www, or www to {{domain}}, never reads this file: include it there, too, since Apple asks every domain of an entitlement by itself and follows no redirect
        - a 'Redirect' inside of a <Location> or <Directory> is not stopped: write it outside of the section, or as a RewriteRule
        - an <If> of the site comes after this one and wins: leave /.well-known out of it
        - Apache has to be allowed to read the files: the folders on the way to them need the right to be entered (x)
        """#,
        #"""
        host: azure-static-web-apps
        title: Azure Static Web Apps
        folder: a folder
        checked: 2026-11-22
        source: https://learn.microsoft.com/en-us/azure/static-web-apps/configuration
        merged: yes

        == file staticwebapp.config.json
        {
          "routes": [
        {{if association}}
            {
              "route": "/.well-known/apple-app-site-association",
              "rewrite": "/.well-known/apple-app-site-association.json",
              "allowedRoles": ["anonymous"]
        {{end}}
        {{if both}}
            },
        {{end}}
        {{if links}}
            {
              "route": "/.well-known/assetlinks.json",
              "allowedRoles": ["anonymous"]
        {{end}}
            }
          ],
          "navigationFallback": {
            "rewrite": "/index.html",
            "exclude": ["/.well-known/*"]
          },
          "mimeTypes": {
            ".json": "application/json"
          }
        }

        == association .well-known/apple-app-site-association.json
        == links .well-known/assetlinks.json

        == steps
        - add the entries to the staticwebapp.config.json of the app, the routes before any that match more
        - put the folder .well-known into the folder that is deployed

        == notes
        - headers of a route cannot set the type: therefore the file has the name apple-app-site-association.json, and the route rewrites to it
        - delete "navigationFallback" if the app has none
        """#,
        #"""
        host: caddy
        title: Caddy
        folder: any folder that Caddy may read
        checked: 2026-11-22
        source: tried with Caddy 2.6.2, by the tests of this project
        source: https://caddyserver.com/docs/caddyfile/directives#directive-order
        source: https://caddyserver.com/docs/caddyfile/directives/handle
        source: https://caddyserver.com/docs/caddyfile/directives/file_server

        == file aasa.caddy
        # Made by 'aasa export {{host}}' ({{version}}).
        # Import it as the first line of the site block, and wrap what else is in the block, so that no redirect, no password and no
        # fallback of a single-page application runs before it:
        #     {{domain}} {
        #         import {{configuration:caddy}}
        #         handle {
        #             ...
        #         }
        #     }
        {{if association}}

        # Only one 'handle' of a block answers, the first one that matches.
        handle /.well-known/apple-app-site-association {
        	# The folder of the files, wherever the root of the site is.
        	root * {{root:caddy}}
        	# The name has no extension: without this it would have no type.
        	header Content-Type application/json
        	# A file that is cached for a year is wrong for a year.
        	header Cache-Control "public, max-age=3600"
        	# The bytes as they are.
        	file_server
        }
        {{end}}
        {{if links}}

        # The same for Google, which asks for this file.
        handle /.well-known/assetlinks.json {
        	# The folder of the files, wherever the root of the site is.
        	root * {{root:caddy}}
        	# No parameter after the type.
        	header Content-Type application/json
        	# A file that is cached for a year is wrong for a year.
        	header Cache-Control "public, max-age=3600"
        	# The bytes as they are.
        	file_server
        }
        {{end}}

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - write this as the first line of the site block of {{domain}}: import {{configuration:caddy}}
        - wrap what else is in the site block: handle { ... }
        - check the configuration and reload: caddy validate && caddy reload

        == notes
        - 'redir', 'rewrite', 'try_files' and 'basicauth' ('basic_auth' since 2.8) of a site block run before every 'handle', wherever they are written: without the wrapping they answer instead; the global option 'order handle first' does the same for all sites
        - a site block of its own that redirects {{domain}} to www, or www to {{domain}}, has to import the file, too: Apple asks every domain of an entitlement by itself and follows no redirect
        """#,
        #"""
        host: cloudflare-pages
        title: Cloudflare Pages
        folder: a folder
        checked: 2026-11-22
        source: https://developers.cloudflare.com/pages/configuration/headers/
        merged: yes

        == file _headers
        # Made by 'aasa export cloudflare-pages' ({{version}}).
        # The name has no extension: without this it would be application/octet-stream.
        {{if association}}
        /.well-known/apple-app-site-association
          Content-Type: application/json
        {{end}}
        {{if links}}
        /.well-known/assetlinks.json
          Content-Type: application/json
        {{end}}

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - put _headers and the folder .well-known into the build output folder
        - deploy, and check the custom domain

        == notes
        - headers of _headers do not apply to answers of Functions
        - Cloudflare Access, Bot Fight Mode and challenges of the WAF also stop Apple's and Google's fetchers: add a rule that skips them for /.well-known/*
        - a redirect rule of the zone runs before Pages
        """#,
        #"""
        host: cloudflare-workers
        title: Cloudflare Workers with static assets
        folder: a folder
        checked: 2026-11-22
        source: https://developers.cloudflare.com/workers/static-assets/headers/
        merged: yes

        == file public/_headers
        # Made by 'aasa export cloudflare-workers' ({{version}}).
        # The name has no extension: without this it would be application/octet-stream.
        {{if association}}
        /.well-known/apple-app-site-association
          Content-Type: application/json
        {{end}}
        {{if links}}
        /.well-known/assetlinks.json
          Content-Type: application/json
        {{end}}

        == association public/.well-known/apple-app-site-association
        == links public/.well-known/assetlinks.json

        == steps
        - set "assets": { "directory": "./public" } in the configuration of wrangler, or use the folder that is set there instead of public
        - deploy: wrangler deploy

        == notes
        - .assetsignore must not leave out .well-known
        - with "run_worker_first" your code answers, and headers of _headers do not apply: leave /.well-known/* out of it
        - Cloudflare Access, Bot Fight Mode and challenges of the WAF also stop Apple's and Google's fetchers: add a rule that skips them for /.well-known/*
        """#,
        #"""
        host: django
        title: Django
        folder: a folder
        checked: 2026-11-22
        source: https://docs.djangoproject.com/en/5.2/topics/http/urls/

        == file aasa_urls.py
        # Made by 'aasa export django' ({{version}}).
        # In urls.py, first in the list:
        #     urlpatterns = [*aasa_urls.urlpatterns, ...]
        from pathlib import Path

        from django.http import HttpResponse
        from django.urls import path
        from django.views.decorators.cache import cache_control
        from django.views.decorators.http import require_safe

        _FOLDER = Path(__file__).resolve().parent / "aasa"


        def _file(name):
            # Read once: the exact bytes.
            content = (_FOLDER / name).read_bytes()

            @require_safe
            @cache_control(public=True, max_age=3600)
            def view(request):
                # Without an explicit type, Django would answer text/html.
                return HttpResponse(content, content_type="application/json")

            # Django 5.1's LoginRequiredMiddleware would redirect to a login.
            view.login_required = False
            return view


        urlpatterns = [
        {{if association}}
            path(".well-known/apple-app-site-association", _file("apple-app-site-association")),
        {{end}}
        {{if links}}
            path(".well-known/assetlinks.json", _file("assetlinks.json")),
        {{end}}
        ]

        == association aasa/apple-app-site-association
        == links aasa/assetlinks.json

        == steps
        - copy aasa_urls.py and the folder aasa next to urls.py
        - put its urlpatterns first in urls.py
        - restart the application after each change of the files

        == notes
        - middleware of your own that asks for a login, chooses a language or redirects to www runs before: leave /.well-known out of it (PREPEND_WWW redirects everything)
        - behind a proxy that ends TLS, SECURE_SSL_REDIRECT needs SECURE_PROXY_SSL_HEADER, or each request is redirected for ever
        """#,
        #"""
        host: express
        title: Express
        folder: the folder of the program, or one beside it
        checked: 2026-11-22
        source: tried with Node.js 20, by the tests of this project
        source: https://expressjs.com/en/guide/migrating-5.html
        source: https://expressjs.com/en/api.html#express.static

        == file aasa.cjs
        // Made by 'aasa export {{host}}' ({{version}}).
        // Use it before everything else:
        //     app.use(require('./aasa.cjs'))
        // or, in a module:
        //     import aasa from './aasa.cjs'
        //     app.use(aasa)
        'use strict'

        const fs = require('node:fs')
        const path = require('node:path')

        // Read once: the exact bytes. express.static is no help, since Express 5 leaves out folders whose names begin with a dot.
        const read = (name) => fs.readFileSync(path.join(__dirname, 'aasa', name))

        const files = new Map([
        {{if association}}
          ['/.well-known/apple-app-site-association', read('apple-app-site-association')],
        {{end}}
        {{if links}}
          ['/.well-known/assetlinks.json', read('assetlinks.json')],
        {{end}}
        ])

        module.exports = function aasa(request, response, next) {
          const bytes = files.get(request.url.split('?', 1)[0])
          // Whatever else is asked is none of its business.
          if (bytes === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next()
          // writeHead and not send, which would add '; charset=utf-8' to the type.
          response.writeHead(200, {
            'Content-Type': 'application/json',
            'Content-Length': bytes.length,
            // A file that is cached for a year is wrong for a year.
            'Cache-Control': 'public, max-age=3600',
          })
          // Node.js itself leaves the body out for HEAD.
          response.end(bytes)
        }

        == association aasa/apple-app-site-association
        == links aasa/assetlinks.json

        == steps
        - copy aasa.cjs and the folder aasa next to the program
        - use it before sessions, logins, redirects and static files: app.use(require('./aasa.cjs'))
        - restart the program, also after each change of the files

        == notes
        - what is in front of Express can still redirect, ask for a password or answer itself: check the domain, and export for that server, too, if need be
        - compression() compresses the answer if it is used before: use it after
        """#,
        #"""
        host: firebase-hosting
        title: Firebase Hosting
        folder: a folder
        checked: 2026-11-22
        source: https://firebase.google.com/docs/hosting/full-config
        merged: yes

        == file firebase.json
        {
          "hosting": {
            "public": "public",
            "appAssociation": "NONE",
            "ignore": ["firebase.json", "**/node_modules/**"],
            "headers": [
        {{if association}}
              {
                "source": "/.well-known/apple-app-site-association",
                "headers": [
                  { "key": "Content-Type", "value": "application/json" },
                  { "key": "Cache-Control", "value": "public, max-age=3600" }
                ]
        {{end}}
        {{if both}}
              },
        {{end}}
        {{if links}}
              {
                "source": "/.well-known/assetlinks.json",
                "headers": [
                  { "key": "Content-Type", "value": "application/json" },
                  { "key": "Cache-Control", "value": "public, max-age=3600" }
                ]
        {{end}}
              }
            ]
          }
        }

        == association public/.well-known/apple-app-site-association
        == links public/.well-known/assetlinks.json

        == steps
        - add "appAssociation" and "headers" to "hosting" in firebase.json: with "AUTO" the files that Firebase makes for Dynamic Links win over yours
        - take "**/.*" out of "ignore": it leaves out .well-known
        - deploy: firebase deploy --only hosting

        == notes
        - a rewrite of all paths to index.html comes after files, so that it does no harm once the file is uploaded
        - "redirects" come before files: leave /.well-known out of them
        """#,
        #"""
        host: github-pages
        title: GitHub Pages
        folder: a folder
        checked: 2026-11-22
        source: https://docs.github.com/en/pages/getting-started-with-github-pages/about-github-pages
        source: https://github.com/actions/upload-pages-artifact

        == file .nojekyll

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - put .nojekyll and the folder .well-known into the folder that is published: without .nojekyll, Jekyll leaves out names with a dot
        - with actions/upload-pages-artifact v5 set 'include-hidden-files: true'; v4 leaves out names with a dot whatever is set: use v3 or v5

        == notes
        - the type of a file without extension cannot be set: it is application/octet-stream, which Apple is observed to accept although it asks for application/json
        - only the root of a domain counts: a project page (user.github.io/project) needs its own domain
        - the domain must have 'Enforce HTTPS', and must not be the one of www and the bare domain that redirects to the other
        """#,
        #"""
        host: haproxy
        title: HAProxy
        folder: any folder that HAProxy may read when it starts
        checked: 2026-11-22
        source: tried with HAProxy 2.6.12, by the tests of this project
        source: https://docs.haproxy.org/2.6/configuration.html#4.2-http-request%20return
        source: https://docs.haproxy.org/2.6/configuration.html#3.2-tune.bufsize

        == file aasa.haproxy.cfg
        # Made by 'aasa export {{host}}' ({{version}}).
        # Put these lines at the top of the 'frontend' that answers https. Rules run in their order: first, so that no redirect, no
        # password and no rule that denies names with a dot comes before them. The files are read when HAProxy starts, and no
        # server behind it is asked: a single-page application cannot answer instead. Reload after each change of a file.
        {{if association}}
            # The type is written out, because nothing tells it; an hour, because a file that is cached for a year is wrong for a year.
            http-request return status 200 content-type application/json file {{association:haproxy}} hdr Cache-Control "public, max-age=3600" if { path /.well-known/apple-app-site-association } { method GET HEAD }
        {{end}}
        {{if links}}
            # The same for Google, which asks for this file.
            http-request return status 200 content-type application/json file {{links:haproxy}} hdr Cache-Control "public, max-age=3600" if { path /.well-known/assetlinks.json } { method GET HEAD }
        {{end}}

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - put the lines of aasa.haproxy.cfg at the top of the frontend for https, before any http-request, redirect or use_backend
        - check the configuration and reload: haproxy -c -f /etc/haproxy/haproxy.cfg && systemctl reload haproxy

        == notes
        - the files are read when HAProxy starts: reload it after each change
        - http-request rules of a named 'defaults' section run before those of the frontend: leave /.well-known out of redirects and passwords there
        - a frontend of its own that redirects {{domain}} to www, or www to {{domain}}, needs the lines, too: Apple asks every domain of an entitlement by itself and follows no redirect

        == notes over 15000
        - HAProxy keeps each file in a buffer of 16,384 bytes and refuses to start with a larger one: write 'tune.bufsize 196608' into 'global'
        """#,
        #"""
        host: htaccess
        alias: wordpress
        title: Apache with .htaccess, such as WordPress
        folder: the document root of the site
        merged: yes
        checked: 2026-11-22
        source: tried with Apache 2.4 of Debian 12, by the tests of this project
        source: https://httpd.apache.org/docs/2.4/rewrite/flags.html#flag_end
        source: https://httpd.apache.org/docs/2.4/mod/core.html#allowoverride
        source: https://developer.wordpress.org/advanced-administration/server/web-server/httpd/

        == file .htaccess
        # Made by 'aasa export {{host}}' ({{version}}).
        # These lines go to the top of the .htaccess in the document root, above '# BEGIN WordPress'.

        <IfModule mod_rewrite.c>
        # Without it, rules count for nothing.
        RewriteEngine On
        # [END] stops the rules that come after it: redirects, rules that deny names with a dot, and those of WordPress.
        {{if association}}
        RewriteRule "^\.well-known/apple-app-site-association$" - [END]
        {{end}}
        {{if links}}
        RewriteRule "^\.well-known/assetlinks\.json$" - [END]
        {{end}}
        </IfModule>
        {{if association}}

        <FilesMatch "^apple-app-site-association$">
            # The name has no extension: without this it would have no type. No '; charset=utf-8' is added to it.
            ForceType application/json
            # Apple cannot log in,
            AuthType None
            # and a rule that denies names with a dot is not about this file.
            Require all granted
            <IfModule mod_headers.c>
                # A file that is cached for a year is wrong for a year.
                Header set Cache-Control "public, max-age=3600"
                Header unset Expires
            </IfModule>
        </FilesMatch>
        {{end}}
        {{if links}}

        <FilesMatch "^assetlinks\.json$">
            # No '; charset=utf-8' after the type, whatever AddCharset says about .json.
            ForceType application/json
            # Google cannot log in,
            AuthType None
            # and a rule that denies names with a dot is not about this file.
            Require all granted
            <IfModule mod_headers.c>
                # A file that is cached for a year is wrong for a year.
                Header set Cache-Control "public, max-age=3600"
                Header unset Expires
            </IfModule>
        </FilesMatch>
        {{end}}

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - put the lines of .htaccess above '# BEGIN WordPress', or at the top, of the .htaccess in the document root
        - upload the folder .well-known, too; many programs for uploads hide names that begin with a dot

        == notes
        - a 'Redirect' or 'RedirectMatch' still answers first, wherever it is written, and so does a password or a redirect in a <Location> of the server's own configuration: write the redirect as a RewriteRule below these lines, or leave /.well-known out of it, as in RedirectMatch "^/(?!\.well-known/)(.*)$" "https://www.{{domain}}/$1"
        - the server has to allow it: AllowOverride with FileInfo and AuthConfig, or All; otherwise the answer is 500, or the file has no effect
        - a .htaccess inside of .well-known, which programs for certificates leave there, comes after this one: delete it, or put these lines into it
        - a plugin that redirects or protects the whole site does so in PHP, which is never asked for these files
        - the lines about the type are about all files with these names, wherever they are in the site
        """#,
        #"""
        host: iis
        title: IIS
        folder: a folder
        checked: 2026-11-22
        source: https://learn.microsoft.com/en-us/iis/configuration/system.webserver/staticcontent/mimemap
        merged: yes

        == file web.config
        <?xml version="1.0" encoding="utf-8"?>
        <!-- Made by 'aasa export iis' ({{version}}). It goes into the root of the site. -->
        <configuration>
          <system.webServer>
            <staticContent>
              <!-- IIS answers 404 to a file whose extension it does not know; '.' is no extension at all. Without 'remove' an
                   entry that is there already would be a 500. -->
              <remove fileExtension="." />
              <mimeMap fileExtension="." mimeType="application/json" />
              <remove fileExtension=".json" />
              <mimeMap fileExtension=".json" mimeType="application/json" />
            </staticContent>
          </system.webServer>
          <location path=".well-known">
            <system.webServer>
              <security>
                <authorization>
                  <!-- Apple and Google cannot log in. -->
                  <clear />
                  <add accessType="Allow" users="*" />
                </authorization>
              </security>
              <rewrite>
                <rules>
                  <!-- The rules of the site, such as a redirect or the fallback of a single-page application, do not count
                       here. -->
                  <clear />
                </rules>
              </rewrite>
            </system.webServer>
          </location>
        </configuration>

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - put web.config into the root of the site, or its sections into the one that is there
        - copy the folder .well-known there, too; a network share or an archive program may leave out names with a dot

        == notes
        - without the URL Rewrite module the section 'rewrite' is an error 500.19: delete it
        - if the section 'authorization' or the module's 'rules' are locked in applicationHost.config, they are an error, too: delete them here and permit /.well-known in the rules of the site
        - rules for the whole server (globalRules) run before those of a site, and cannot be left out here
        """#,
        #"""
        host: laravel
        title: Laravel
        folder: a folder
        checked: 2026-11-22
        source: https://laravel.com/docs/12.x/routing

        == file routes/aasa.php
        <?php

        // Made by 'aasa export laravel' ({{version}}).
        // In bootstrap/app.php, in withRouting(…):
        //     then: fn () => require base_path('routes/aasa.php'),

        use Illuminate\Support\Facades\Route;

        // No middleware: a session, a login or a choice of language would redirect. Of the type, '; charset=utf-8' is left out.
        foreach ([
        {{if association}}
            'apple-app-site-association',
        {{end}}
        {{if links}}
            'assetlinks.json',
        {{end}}
        ] as $name) {
            Route::get('.well-known/' . $name, function () use ($name) {
                return response(file_get_contents(resource_path('aasa/' . $name)), 200, [
                    'Content-Type' => 'application/json',
                    'Cache-Control' => 'public, max-age=3600',
                ]);
            })->withoutMiddleware(['web', 'api']);
        }

        == association resources/aasa/apple-app-site-association
        == links resources/aasa/assetlinks.json

        == steps
        - load routes/aasa.php in bootstrap/app.php, as its first lines say
        - clear the cache of routes, if you use it: php artisan route:clear

        == notes
        - routes with functions cannot be in a cache of routes before Laravel 8
        - the web server answers files in public/ and redirects before Laravel is asked: see the recipe of nginx or Apache
        - middleware for all requests (a forced domain, maintenance mode) still runs: leave /.well-known out of it
        """#,
        #"""
        host: netlify
        title: Netlify
        folder: a folder
        checked: 2026-11-22
        source: https://docs.netlify.com/routing/headers/
        merged: yes

        == file _headers
        # Made by 'aasa export netlify' ({{version}}).
        # The name has no extension: without this it would be application/octet-stream.
        {{if association}}
        /.well-known/apple-app-site-association
          Content-Type: application/json
        {{end}}
        {{if links}}
        /.well-known/assetlinks.json
          Content-Type: application/json
        {{end}}

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - put _headers and the folder .well-known into the publish folder: for most generators that means its folder for static files
        - deploy, and check the primary domain and its aliases

        == notes
        - a file that is there wins over a rule of _redirects, unless the rule has a '!' behind its status (200!, 301!): leave /.well-known out of those
        - the primary domain redirects its aliases: put the primary domain into the entitlement
        - password protection of the site answers 401 to Apple, too
        - headers of _headers do not apply to functions
        """#,
        #"""
        host: next
        title: Next.js
        folder: a folder
        checked: 2026-11-22
        source: https://nextjs.org/docs/app/api-reference/config/next-config-js/headers
        merged: no

        == file aasa.next.mjs
        // Made by 'aasa export next' ({{version}}).
        // In next.config.mjs:
        //     import { aasaHeaders } from './aasa.next.mjs'
        //     export default { async headers() { return [...aasaHeaders()] } }

        /** The name has no extension: without these headers it would be application/octet-stream. */
        export function aasaHeaders() {
          const headers = [
            { key: 'Content-Type', value: 'application/json' },
            { key: 'Cache-Control', value: 'public, max-age=3600' },
          ]
          return [
        {{if association}}
            { source: '/.well-known/apple-app-site-association', headers },
        {{end}}
        {{if links}}
            { source: '/.well-known/assetlinks.json', headers },
        {{end}}
          ]
        }

        == association public/.well-known/apple-app-site-association
        == links public/.well-known/assetlinks.json

        == steps
        - return aasaHeaders() from headers() in next.config.mjs
        - leave .well-known out of the matcher of your middleware, such as '/((?!_next|\.well-known).*)': it would redirect to a login or to a language

        == notes
        - with 'basePath' all files move below it: the association file must be at the root of the domain, so that another host has to answer it
        - 'trailingSlash' leaves /.well-known alone
        - 'output: export' has no headers: use the recipe of the host that serves the export
        """#,
        #"""
        host: nginx
        title: nginx
        folder: any folder that nginx may read
        checked: 2026-11-22
        source: tried with nginx 1.22.1, by the tests of this project
        source: https://nginx.org/en/docs/http/ngx_http_core_module.html#location
        source: https://nginx.org/en/docs/http/ngx_http_rewrite_module.html
        source: https://nginx.org/en/docs/http/ngx_http_auth_request_module.html

        == file aasa.nginx.conf
        # Made by 'aasa export {{host}}' ({{version}}).
        # Include it as the first line of the server block that answers https:
        #     include {{configuration:nginx}};

        # 'rewrite' and 'return' of a server block run before any location: without this, a redirect to www, or to a path with a
        # slash at its end, would answer. Therefore the file has to come first.
        {{if association}}
        if ($uri = /.well-known/apple-app-site-association) {
            break;
        }
        {{end}}
        {{if links}}
        if ($uri = /.well-known/assetlinks.json) {
            break;
        }
        {{end}}
        {{if association}}

        # An exact location wins over regular expressions, such as a rule that denies names with a dot, and over the fallback of
        # a single-page application.
        location = /.well-known/apple-app-site-association {
            # The file, wherever the root of the site is.
            alias {{association:nginx}};
            # The name has no extension: without these two it would be application/octet-stream.
            types { }
            default_type application/json;
            # No '; charset=utf-8' after the type.
            charset off;
            # The bytes as they are.
            gzip off;
            # Apple cannot log in.
            auth_basic off;
            # Apple's addresses are not on any list.
            allow all;
            # A file that is cached for a year is wrong for a year.
            expires off;
            # An hour; and a field of its own keeps the fields of the server block out, such as a Cache-Control for a year.
            add_header Cache-Control "public, max-age=3600";
        }
        {{end}}
        {{if links}}

        # The same for Google, which asks for this file.
        location = /.well-known/assetlinks.json {
            # The file, wherever the root of the site is.
            alias {{links:nginx}};
            # Whatever 'types' of the site say about .json.
            types { }
            default_type application/json;
            # No '; charset=utf-8' after the type.
            charset off;
            # The bytes as they are.
            gzip off;
            # Google cannot log in.
            auth_basic off;
            # Google's addresses are not on any list.
            allow all;
            # A file that is cached for a year is wrong for a year.
            expires off;
            # An hour, and no fields of the server block.
            add_header Cache-Control "public, max-age=3600";
        }
        {{end}}

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - write this as the first line of the server block for https: include {{configuration:nginx}};
        - check the configuration and reload: nginx -t && nginx -s reload

        == notes
        - a server block of its own that redirects {{domain}} to www, or www to {{domain}}, answers before this file is ever read: include the file there, too, since Apple asks every domain of an entitlement by itself and follows no redirect
        - 'auth_request' is not switched off here, because nginx refuses the directive where its module is missing: write 'auth_request off;' into the locations if the server block uses it
        - nginx has to be allowed to read the files: the folders on the way to them need the right to be entered (x)
        - nginx refuses two locations for the same path: delete the one that the site has already
        """#,
        #"""
        host: rails
        title: Ruby on Rails
        folder: a folder
        checked: 2026-11-22
        source: https://guides.rubyonrails.org/routing.html

        == file config/routes/aasa.rb
        # Made by 'aasa export rails' ({{version}}).
        # The first line in the block of config/routes.rb:
        #     draw(:aasa)

        # The exact bytes and the exact type: a controller would add '; charset=utf-8', and public/ has no type for a name
        # without extension. Header names are in lower case, as Rack 3 requires.
        {
        {{if association}}
          "/.well-known/apple-app-site-association" => "apple-app-site-association",
        {{end}}
        {{if links}}
          "/.well-known/assetlinks.json" => "assetlinks.json",
        {{end}}
        }.each do |path, name|
          bytes = Rails.root.join("config", "aasa", name).binread.freeze
          headers = {
            "content-type" => "application/json",
            "content-length" => bytes.bytesize.to_s,
            "cache-control" => "public, max-age=3600",
          }.freeze
          get path, to: ->(env) { [200, headers.dup, env["REQUEST_METHOD"] == "HEAD" ? [] : [bytes]] }, format: false
        end

        == association config/aasa/apple-app-site-association
        == links config/aasa/assetlinks.json

        == steps
        - write draw(:aasa) as the first line of the block in config/routes.rb
        - restart the application after each change of the files

        == notes
        - a file of the same name in public/ wins, and has the wrong type: delete it
        - middleware runs before routes: leave /.well-known out of logins and redirects there (Rack::Attack, rack-rewrite)
        """#,
        #"""
        host: s3-cloudfront
        title: Amazon S3 with CloudFront
        folder: a folder
        checked: 2026-11-22
        source: https://docs.aws.amazon.com/cli/latest/reference/s3/cp.html
        source: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Invalidation.html

        == file upload.sh
        #!/bin/sh
        # Made by 'aasa export s3-cloudfront' ({{version}}).
        # Usage: BUCKET=my-bucket DISTRIBUTION=E123EXAMPLE ./upload.sh
        set -eu
        : "${BUCKET:?the name of the bucket}"
        : "${DISTRIBUTION:?the ID of the CloudFront distribution}"
        cd "$(dirname "$0")"
        {{if association}}

        # The name has no extension: without --content-type it would be binary/octet-stream.
        aws s3 cp .well-known/apple-app-site-association "s3://$BUCKET/.well-known/apple-app-site-association" \
            --content-type application/json --cache-control 'public, max-age=3600'
        {{end}}
        {{if links}}

        aws s3 cp .well-known/assetlinks.json "s3://$BUCKET/.well-known/assetlinks.json" \
            --content-type application/json --cache-control 'public, max-age=3600'
        {{end}}

        # Without this the edges keep the old file, or its absence, for as long as a day.
        aws cloudfront create-invalidation --distribution-id "$DISTRIBUTION" --paths '/.well-known/*'

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - run upload.sh with BUCKET and DISTRIBUTION set
        - see that the distribution answers /.well-known/* from this bucket, for https, and with all methods a GET and HEAD need

        == notes
        - a function of the distribution that redirects or adds index.html runs before the bucket: leave /.well-known out of it
        - if the bucket answers 403, the file is missing or the distribution may not read it; an error page with status 200 hides that
        - signed URLs, and rules of AWS WAF against robots, also stop Apple's and Google's fetchers
        """#,
        #"""
        host: vercel
        title: Vercel
        folder: a folder
        checked: 2026-11-22
        source: https://vercel.com/docs/project-configuration#headers
        merged: yes

        == file vercel.json
        {
          "headers": [
        {{if association}}
            {
              "source": "/.well-known/apple-app-site-association",
              "headers": [
                { "key": "Content-Type", "value": "application/json" },
                { "key": "Cache-Control", "value": "public, max-age=3600" }
              ]
        {{end}}
        {{if both}}
            },
        {{end}}
        {{if links}}
            {
              "source": "/.well-known/assetlinks.json",
              "headers": [
                { "key": "Content-Type", "value": "application/json" },
                { "key": "Cache-Control", "value": "public, max-age=3600" }
              ]
        {{end}}
            }
          ]
        }

        == association public/.well-known/apple-app-site-association
        == links public/.well-known/assetlinks.json

        == steps
        - add the entries of "headers" to the vercel.json in the root of the project: without them the type of a file without extension is not application/json
        - deploy, and check the domain itself, not only the address of the deployment

        == notes
        - a redirect that is set for a domain in the dashboard (example.com to www.example.com) comes before everything here: assign the domain to the project instead, or leave it out of the entitlement
        - deployment protection asks visitors, and Apple, to log in: it must be off for production
        - "trailingSlash" leaves /.well-known alone
        """#,
    ]
}
