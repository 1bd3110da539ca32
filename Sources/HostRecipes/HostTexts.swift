// Generated from Hosts/ by 'make docs'; do not edit.

enum HostTexts {
    static let all: [String] = [
        #"""
        host: apache
        title: Apache HTTP Server
        folder: a folder
        checked: 2026-11-22
        source: https://httpd.apache.org/docs/2.4/rewrite/flags.html#flag_end
        source: https://httpd.apache.org/docs/2.4/sections.html

        == file aasa.apache.conf
        # Made by 'aasa export apache' ({{version}}).
        # Include it as the first line of the <VirtualHost> that answers https:
        #     Include /etc/apache2/aasa.apache.conf
        # It needs mod_rewrite: a2enmod rewrite

        RewriteEngine On
        {{if association}}
        # [END] stops the rules after this one, such as a redirect or the fallback of a single-page application; with a file as
        # its target the rule also comes before 'Redirect'.
        RewriteRule "^/\.well-known/apple-app-site-association$" {{association:apacheTarget}} [END]
        {{end}}
        {{if links}}
        RewriteRule "^/\.well-known/assetlinks\.json$" {{links:apacheTarget}} [END]
        {{end}}

        <Directory {{root:apache}}>
            Require all granted
        </Directory>

        # <If> is merged after all other sections: a password or a rule that denies files with a dot, anywhere in the
        # configuration, does not count here.
        <If "%{REQUEST_URI} =~ m#^/\.well-known/(apple-app-site-association|assetlinks\.json)$#">
            # The name has no extension: without this it would have no type.
            ForceType application/json
            # No '; charset=utf-8' behind the type.
            AddDefaultCharset Off
            # Apple and Google cannot log in.
            AuthType None
            Require all granted
            # A name with a dot is not a file for several languages.
            Options -MultiViews
        </If>

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - switch mod_rewrite on: a2enmod rewrite
        - include aasa.apache.conf as the first line of the <VirtualHost> for https
        - check the configuration and reload: apachectl configtest && apachectl graceful

        == notes
        - a 'Header set Cache-Control' of the site counts here, too: keep it at one hour at most
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
        folder: a folder
        checked: 2026-11-22
        source: https://caddyserver.com/docs/caddyfile/directives#directive-order
        source: https://caddyserver.com/docs/caddyfile/directives/file_server

        == file aasa.caddy
        # Made by 'aasa export caddy' ({{version}}).
        # Import it as the first line of the site block:
        #     import aasa.caddy
        {{if association}}

        # 'handle' is exclusive: no other handle answers this path, also not the fallback of a single-page application.
        handle /.well-known/apple-app-site-association {
        	root * {{root:caddy}}
        	rewrite * /apple-app-site-association
        	# The name has no extension: without this it would have no type.
        	header Content-Type application/json
        	header Cache-Control "public, max-age=3600"
        	file_server
        }
        {{end}}
        {{if links}}

        handle /.well-known/assetlinks.json {
        	root * {{root:caddy}}
        	rewrite * /assetlinks.json
        	header Content-Type application/json
        	header Cache-Control "public, max-age=3600"
        	file_server
        }
        {{end}}

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - import aasa.caddy as the first line of the site block
        - check the configuration and reload: caddy validate && caddy reload

        == notes
        - 'redir', 'try_files' and 'basicauth' (basic_auth) of the site block run before every 'handle', wherever they are written: wrap the rest of the site in its own 'handle { }', or set the global option 'order handle first'
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
        folder: a folder
        checked: 2026-11-22
        source: https://expressjs.com/en/guide/migrating-5.html

        == file aasa.cjs
        // Made by 'aasa export express' ({{version}}).
        // Use it before everything else:
        //     app.use(require('./aasa.cjs'))
        'use strict'

        const fs = require('node:fs')
        const path = require('node:path')

        // Read once: the exact bytes, and no file access for each request. express.static of Express 5 leaves out folders whose
        // names begin with a dot.
        const files = new Map([
        {{if association}}
          ['/.well-known/apple-app-site-association', fs.readFileSync(path.join(__dirname, 'aasa', 'apple-app-site-association'))],
        {{end}}
        {{if links}}
          ['/.well-known/assetlinks.json', fs.readFileSync(path.join(__dirname, 'aasa', 'assetlinks.json'))],
        {{end}}
        ])

        module.exports = function aasa(request, response, next) {
          const bytes = files.get(request.path)
          if (bytes === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next()
          // writeHead, not send: Express would add '; charset=utf-8' to the type.
          response.writeHead(200, {
            'Content-Type': 'application/json',
            'Content-Length': bytes.length,
            'Cache-Control': 'public, max-age=3600',
          })
          response.end(request.method === 'HEAD' ? undefined : bytes)
        }

        == association aasa/apple-app-site-association
        == links aasa/assetlinks.json

        == steps
        - copy aasa.cjs and the folder aasa next to the program
        - use it as the first middleware, before sessions, logins, redirects and static files

        == notes
        - restart the program after each change of the files
        - a proxy in front of it can still redirect: check the domain itself
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
        folder: a folder
        checked: 2026-11-22
        source: https://docs.haproxy.org/2.6/configuration.html#4.2-http-request%20return
        source: https://docs.haproxy.org/2.6/configuration.html#3.2-tune.bufsize

        == file aasa.haproxy.cfg
        # Made by 'aasa export haproxy' ({{version}}).
        # These lines go to the top of the 'frontend' that answers https: rules run in their order, so that no redirect and no
        # password comes first. The files are read when HAProxy starts: reload it after each change.
        {{if association}}
            http-request return status 200 content-type application/json file {{association:haproxy}} hdr cache-control "public, max-age=3600" if { path /.well-known/apple-app-site-association } { method GET HEAD }
        {{end}}
        {{if links}}
            http-request return status 200 content-type application/json file {{links:haproxy}} hdr cache-control "public, max-age=3600" if { path /.well-known/assetlinks.json } { method GET HEAD }
        {{end}}

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - put the lines of aasa.haproxy.cfg at the top of the frontend for https, before any redirect
        - check the configuration and reload: haproxy -c -f /etc/haproxy/haproxy.cfg && systemctl reload haproxy

        == notes
        - a file must fit into tune.bufsize, which is 16,384 bytes unless it is set; HAProxy refuses to start with a larger one
        """#,
        #"""
        host: htaccess
        alias: wordpress
        title: Apache with .htaccess, such as WordPress
        folder: a folder
        checked: 2026-11-22
        source: https://httpd.apache.org/docs/2.4/rewrite/flags.html#flag_end
        source: https://developer.wordpress.org/advanced-administration/server/web-server/httpd/
        merged: yes

        == file .htaccess
        # Made by 'aasa export htaccess' ({{version}}).
        # These lines go to the top of the .htaccess in the document root, above '# BEGIN WordPress'.

        <IfModule mod_rewrite.c>
        RewriteEngine On
        # [END] stops the rules after this one: redirects, rules that deny files with a dot, and those of WordPress.
        {{if association}}
        RewriteRule "^\.well-known/apple-app-site-association$" - [END]
        {{end}}
        {{if links}}
        RewriteRule "^\.well-known/assetlinks\.json$" - [END]
        {{end}}
        </IfModule>

        <FilesMatch "^(apple-app-site-association|assetlinks\.json)$">
            # The name has no extension: without this it would have no type.
            ForceType application/json
            # No '; charset=utf-8' behind the type.
            AddDefaultCharset Off
            # Apple and Google cannot log in.
            AuthType None
            Require all granted
        </FilesMatch>

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - put the lines of .htaccess above '# BEGIN WordPress' in the .htaccess of the document root
        - upload the folder .well-known with its files; many programs hide names with a dot

        == notes
        - a 'Redirect' directive still comes before these rules (mod_alias runs first): write it as a RewriteRule below them, or leave /.well-known out with RedirectMatch
        - AllowOverride must permit FileInfo and AuthConfig
        - a plugin that redirects or protects the whole site does so in PHP, which these files never reach
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
        folder: a folder
        checked: 2026-11-22
        source: https://nginx.org/en/docs/http/ngx_http_core_module.html#location
        source: https://nginx.org/en/docs/http/ngx_http_rewrite_module.html

        == file aasa.nginx.conf
        # Made by 'aasa export nginx' ({{version}}).
        # Include it as the first line of the server block that answers https:
        #     include /etc/nginx/aasa.nginx.conf;

        # 'rewrite' and 'return' of the server block run before locations: without this, a redirect to www or to a path with
        # a slash at its end would answer.
        if ($uri ~ "^/\.well-known/(apple-app-site-association|assetlinks\.json)$") {
            break;
        }
        {{if association}}

        # An exact location is chosen before regular expressions, such as a rule that denies files with a dot, and before the
        # fallback of a single-page application.
        location = /.well-known/apple-app-site-association {
            alias {{association:nginx}};
            # The name has no extension: without these it would be application/octet-stream.
            types { }
            default_type application/json;
            # No '; charset=utf-8' behind the type.
            charset off;
            # The bytes as they are.
            gzip off;
            # Apple and Google cannot log in.
            auth_basic off;
            allow all;
            # A file that is cached for a year is wrong for a year. Having a header here also drops those of the server block.
            expires off;
            add_header Cache-Control "public, max-age=3600";
        }
        {{end}}
        {{if links}}

        location = /.well-known/assetlinks.json {
            alias {{links:nginx}};
            types { }
            default_type application/json;
            charset off;
            gzip off;
            auth_basic off;
            allow all;
            expires off;
            add_header Cache-Control "public, max-age=3600";
        }
        {{end}}

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - include aasa.nginx.conf as the first line of the server block for https
        - check the configuration and reload: nginx -t && nginx -s reload

        == notes
        - a server block that redirects all of the bare domain to www has to include the file, too: Apple asks each domain of an entitlement by itself
        - 'auth_request' of the server block is not switched off, since not every nginx has it; add 'auth_request off;' to both locations if you use it
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
