// Generated from Hosts/ by 'make docs'; do not edit.
// swift-format-ignore-file

enum HostTexts {
    static let all: [String] = [
        #"""
        host: amplify
        alias: aws-amplify
        title: AWS Amplify Hosting
        folder: the root of the project
        merged: yes
        checked: 2026-11-29
        source: https://docs.aws.amazon.com/amplify/latest/userguide/setting-custom-headers.html
        source: https://docs.aws.amazon.com/amplify/latest/userguide/custom-header-YAML-format.html
        source: https://docs.aws.amazon.com/amplify/latest/userguide/redirects.html
        source: https://docs.aws.amazon.com/amplify/latest/userguide/redirect-rewrite-examples.html
        source: https://github.com/aws-amplify/amplify-hosting/issues/1983
        source: https://github.com/aws-amplify/amplify-hosting/issues/2716
        source: https://github.com/aws-amplify/amplify-hosting/issues/3622
        source: https://github.com/aws-amplify/amplify-hosting/issues/713
        source: https://github.com/aws-amplify/amplify-hosting/issues/225

        == file customHttp.yml
        # Made by 'aasa export {{host}}' ({{version}}).
        # An hour, because a file that is cached for a year is wrong for a year. No parameter after the type.
        customHeaders:
        {{if association}}
          # Both paths: which of them decides about the headers of a rewrite is not documented.
          - pattern: '/.well-known/apple-app-site-association'
            headers:
              - key: 'Content-Type'
                value: 'application/json'
              - key: 'Cache-Control'
                value: 'public, max-age=3600'
          - pattern: '/.well-known/apple-app-site-association.json'
            headers:
              - key: 'Content-Type'
                value: 'application/json'
              - key: 'Cache-Control'
                value: 'public, max-age=3600'
        {{end}}
        {{if links}}
          - pattern: '/.well-known/assetlinks.json'
            headers:
              - key: 'Content-Type'
                value: 'application/json'
              - key: 'Cache-Control'
                value: 'public, max-age=3600'
        {{end}}

        == association public/.well-known/apple-app-site-association.json
        == links public/.well-known/assetlinks.json

        == steps
        - add the entries of customHttp.yml to the one in the root of the project, or to Hosting, Custom headers in the Amplify console
        - put the folder public/.well-known into the folder of static files, which most frameworks call public
        {{if association}}
        - in Hosting, Rewrites and redirects, add this rule as the first one: { "source": "/.well-known/apple-app-site-association", "target": "/.well-known/apple-app-site-association.json", "status": "200", "condition": null }
        {{end}}
        - deploy again, because headers count from the next deployment on, and check the domain itself, not only the address at amplifyapp.com

        == notes
        {{if association}}
        - the file is called .json because Amplify answers a name without an extension with a redirect to the name and '/', or with 404 (issues 1209, 1927 and 1983 of amplify-hosting); with the rule it is served under its own name
        - rules are tried from the top: the usual one for single-page applications, '</^[^.]+$|\.(?!(css|gif|...)$)([^.]+$)/>', takes this path, too, so it has to come after the rule
        - one report says that such a rule answers 403 (issue 3622): if the check prints that, see that the target is the path of a file that was deployed
        {{end}}
        - a redirect of {{domain}} to www.{{domain}}, which the console offers for a custom domain, comes before files, and Apple follows no redirects: check each domain of the entitlement
        - if the files are missing after a deployment, add '.well-known/**/*' to artifacts.files in amplify.yml, beside '**/*'
        - a password for a branch (Access control) keeps Apple and Google out
        - taken from the documentation and what people report; not tried with Amplify
        """#,
        #"""
        host: apache
        alias: httpd
        alias: apache2
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
        #     Include {{configuration:apacheInclude}}
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
        - enable mod_rewrite: a2enmod rewrite
        - write this as the first line of the <VirtualHost> for https: Include {{configuration:apacheInclude}}
        - check the configuration and reload: apachectl configtest && apachectl graceful

        == notes
        - a separate <VirtualHost> that redirects {{domain}} to www, or www to {{domain}}, never reads this file: include it there, too, because Apple fetches the file from each domain of an entitlement and follows no redirects
        - a 'Redirect' inside a <Location> or <Directory> still applies: write it outside the section, or as a RewriteRule
        - an <If> of the site is merged later and wins: exclude /.well-known from it
        - Apache must be able to read the files: each folder on the path to them needs the execute permission (x)
        """#,
        #"""
        host: azure-static-web-apps
        title: Azure Static Web Apps
        folder: the root of the app (app_location)
        merged: yes
        checked: 2026-11-22
        source: https://learn.microsoft.com/en-us/azure/static-web-apps/configuration
        source: https://github.com/Azure/static-web-apps/issues/402

        == file staticwebapp.config.json
        {
          "routes": [
        {{if association}}
            {
              "route": "/.well-known/apple-app-site-association",
              "rewrite": "/.well-known/apple-app-site-association.json",
              "headers": { "Cache-Control": "public, max-age=3600" },
              "allowedRoles": ["anonymous"]
        {{end}}
        {{if both}}
            },
        {{end}}
        {{if links}}
            {
              "route": "/.well-known/assetlinks.json",
              "headers": { "Cache-Control": "public, max-age=3600" },
              "allowedRoles": ["anonymous"]
        {{end}}
            }
          ],
          "navigationFallback": {
            "rewrite": "/index.html",
            "exclude": [
        {{if association}}
              "/.well-known/apple-app-site-association",
              "/.well-known/apple-app-site-association.json"
        {{end}}
        {{if both}}
              ,
        {{end}}
        {{if links}}
              "/.well-known/assetlinks.json"
        {{end}}
            ]
          },
          "mimeTypes": {
            ".json": "application/json"
          }
        }

        == association .well-known/apple-app-site-association.json
        == links .well-known/assetlinks.json

        == steps
        - add the entries to the staticwebapp.config.json of the app, those of "routes" before any that matches more, since the first one that matches counts: "allowedRoles" lets Apple and Google in without a login, "exclude" keeps the fallback of a single-page application away, and an hour in caches is enough
        - delete "navigationFallback" if the app has none
        - put the folder .well-known into the folder that is deployed (output_location, if there is a build)
        - deploy, and check the domain

        == notes
        - the headers of a route cannot set the type of a file without extension: therefore the file is named apple-app-site-association.json, which determines the type, and the route rewrites to it
        - "mimeTypes" applies to all .json files of the app: delete a type such as text/json that is already set there
        - a rewrite for the whole site by "responseOverrides" is only for errors and does no harm; "allowedIpRanges" and "requiredHeaders" stop Apple and Google
        - {{domain}} and www.{{domain}} are two domains: each of them must answer directly, without a redirect
        - taken from the documentation, and from what people report in the second source; not tried with Azure
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
        #         import {{configuration:caddyImport}}
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
        - write this as the first line of the site block of {{domain}}: import {{configuration:caddyImport}}
        - wrap everything else in the site block in: handle { ... }
        - check the configuration and reload: caddy validate && caddy reload

        == notes
        - 'redir', 'rewrite', 'try_files' and 'basicauth' ('basic_auth' since 2.8) of a site block run before every 'handle', wherever they are written, and would answer instead if they were not wrapped; the global option 'order handle first' has the same effect for all sites
        - a separate site block that redirects {{domain}} to www, or www to {{domain}}, must import the file, too: Apple fetches the file from each domain of an entitlement and follows no redirects
        """#,
        #"""
        host: cloudflare-pages
        title: Cloudflare Pages
        folder: the build output folder
        merged: yes
        checked: 2026-11-22
        source: https://developers.cloudflare.com/pages/configuration/headers/
        source: https://github.com/cloudflare/workers-sdk/blob/main/packages/wrangler/src/pages/validate.ts
        source: https://developers.cloudflare.com/pages/configuration/redirects/
        source: https://developers.cloudflare.com/bots/troubleshooting/false-positives

        == file _headers
        # Made by 'aasa export {{host}}' ({{version}}).
        {{if association}}
        # The name has no extension: without this the type would be application/octet-stream. An hour, because a file that is cached
        # for a year is wrong for a year.
        /.well-known/apple-app-site-association
          Content-Type: application/json
          Cache-Control: public, max-age=3600
        {{end}}
        {{if links}}
        # No parameter after the type.
        /.well-known/assetlinks.json
          Content-Type: application/json
          Cache-Control: public, max-age=3600
        {{end}}

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - put the lines of _headers and the folder .well-known into the build output folder; with most site generators, put them into the folder for static files
        - deploy, and check the custom domain, not only the address at pages.dev

        == notes
        - rules in _headers do not apply to the responses of Functions: exclude /.well-known in _routes.json, so that no function handles it
        - redirects in _redirects come before files, and redirects of the zone, such as {{domain}} to www.{{domain}}, before both: exclude /.well-known from them (documented for Bulk Redirects, not confirmed for Redirect Rules and Page Rules)
        - a login of Cloudflare Access and challenges of the WAF stop Apple's and Google's fetchers, too: exclude /.well-known/ from them; a rule of the WAF can skip Super Bot Fight Mode, but not Bot Fight Mode, which has to be off if it stops them
        - if a rule of _headers for /* also sets Content-Type or Cache-Control, Cloudflare joins both values with a comma: do not set these fields for /*
        - wrangler uploads folders whose names begin with a dot; only .git and .wrangler are left out
        - taken from the documentation and the sources; not tried with Cloudflare
        """#,
        #"""
        host: cloudflare-workers
        title: Cloudflare Workers with static assets
        folder: the root of the project
        merged: yes
        checked: 2026-11-22
        source: https://developers.cloudflare.com/workers/static-assets/headers/
        source: https://developers.cloudflare.com/workers/static-assets/binding/
        source: https://developers.cloudflare.com/workers/static-assets/redirects/
        source: https://developers.cloudflare.com/workers/static-assets/routing/worker-script
        source: https://github.com/cloudflare/workers-sdk/blob/main/packages/workers-shared/utils/helpers.ts
        source: https://developers.cloudflare.com/bots/troubleshooting/false-positives

        == file public/_headers
        # Made by 'aasa export {{host}}' ({{version}}).
        {{if association}}
        # The name has no extension, by which wrangler finds the type: without this there would be none. An hour, because a file that
        # is cached for a year is wrong for a year.
        /.well-known/apple-app-site-association
          Content-Type: application/json
          Cache-Control: public, max-age=3600
        {{end}}
        {{if links}}
        # No parameter after the type.
        /.well-known/assetlinks.json
          Content-Type: application/json
          Cache-Control: public, max-age=3600
        {{end}}

        == association public/.well-known/apple-app-site-association
        == links public/.well-known/assetlinks.json

        == steps
        - set "assets": { "directory": "./public" } in the configuration of wrangler, or put the content of public into the folder that is set there
        - deploy, and check the domain: wrangler deploy

        == notes
        - wrangler uploads folders whose names begin with a dot, unless .assetsignore leaves them out: a line such as '.*' there needs '!.well-known' after it
        - with "run_worker_first" the Worker's code answers, and _headers does not apply to its responses: list only the paths that need it, as in "run_worker_first": ["/api/*"]
        - redirects in _redirects come before files, and redirects of the zone, such as {{domain}} to www.{{domain}}, before both: exclude /.well-known from them (documented for Bulk Redirects, not confirmed for Redirect Rules and Page Rules)
        - a login of Cloudflare Access and challenges of the WAF stop Apple's and Google's fetchers, too: exclude /.well-known/ from them; a rule of the WAF can skip Super Bot Fight Mode, but not Bot Fight Mode, which has to be off if it stops them
        - taken from the documentation and the sources; not tried with Cloudflare
        """#,
        #"""
        host: django
        title: Django
        folder: the folder of urls.py
        checked: 2026-11-22
        source: tried with Django 5.2: GET, HEAD, POST, LoginRequiredMiddleware, APPEND_SLASH, SECURE_SSL_REDIRECT, PREPEND_WWW
        source: https://docs.djangoproject.com/en/3.2/_modules/django/middleware/security

        == file aasa_urls.py
        # Made by 'aasa export {{host}}' ({{version}}).
        # In urls.py, first in the list, so that no pattern that matches more comes before it:
        #     from . import aasa_urls
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

            # GET and HEAD only; an hour, because a file that is cached for a year is wrong for a year.
            @require_safe
            @cache_control(public=True, max_age=3600)
            def view(request):
                # Without an explicit type it would be text/html.
                return HttpResponse(content, content_type="application/json")

            # Apple and Google cannot log in: LoginRequiredMiddleware, since Django 5.1, would redirect them.
            view.login_required = False
            return view


        urlpatterns = [
            # No slash at the end: APPEND_SLASH does not redirect what is matched without one.
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
        - put its urlpatterns first in the list of urls.py: urlpatterns = [*aasa_urls.urlpatterns, ...]
        - restart the application, now and after each change of the files

        == notes
        - PREPEND_WWW redirects these paths, too: Apple fetches the file from each domain of an entitlement and follows no redirects, so put www.{{domain}} into the entitlement, or leave the setting off
        - behind a proxy that terminates TLS, SECURE_SSL_REDIRECT needs SECURE_PROXY_SSL_HEADER, or every request is redirected forever; with it, SECURE_REDIRECT_EXEMPT needs no entry, because these files are only requested over https
        - your own middleware that asks for a login, chooses a language or redirects runs first: exclude /.well-known/ from it; do not wrap these patterns in i18n_patterns
        - GZipMiddleware compresses the answer, which Apple and Google understand
        - the web server in front of Django applies its redirects, passwords and rules for dot files first: see 'aasa export nginx' and 'aasa export apache'
        """#,
        #"""
        host: express
        alias: express.js
        alias: expressjs
        title: Express
        folder: the folder of the program, or one beside it
        checked: 2026-11-22
        source: tried with Node.js 20, by the tests of this project, and with Express 4.18.2
        source: https://expressjs.com/en/guide/migrating-5.html
        source: https://github.com/expressjs/codemod/pull/142

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
        - restart the program, now and after each change of the files

        == notes
        - a proxy in front of Express can still redirect, ask for a password or answer itself: check the domain, and export for that server, too, if necessary
        - compression() compresses the answer if it comes first: use it later
        """#,
        #"""
        host: firebase-hosting
        title: Firebase Hosting
        folder: the root of the project
        merged: yes
        checked: 2026-11-22
        source: tried with glob 10.4, the library by which the Firebase CLI finds the files to deploy
        source: https://firebase.google.com/docs/hosting/full-config
        source: https://gist.github.com/mbleigh/c9140c97a342b9d2e7cd727e21b6268f
        source: https://github.com/firebase/firebase-tools/blob/main/src/listFiles.ts
        source: https://pub.dev/documentation/firebaseapis/latest/firebasehosting_v1beta1/Domain/domainRedirect.html

        == file firebase.json
        {
          "hosting": {
            "public": "public",
            "appAssociation": "NONE",
            "ignore": ["firebase.json", "**/.*", "**/node_modules/**"],
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
        - add "appAssociation": "NONE" to "hosting" in firebase.json: otherwise files that Firebase makes itself are served, without your apps
        - leave "**/.*" in "ignore": it keeps files such as .env from being deployed, but not those in .well-known; a pattern such as "**/.*/**" would keep those, too
        - add the entries of "headers": the name has no extension, so without them the type would not be application/json; caches keep the file for an hour
        - put the folder .well-known into the folder that "public" names, and deploy: firebase deploy --only hosting

        == notes
        - the documentation compares "ignore" with .gitignore, by which "**/.*" would keep .well-known from being deployed; the sources of the Firebase CLI do not: if the check prints 404 all the same, take "**/.*" out, and name secrets such as .env there instead
        - "redirects" come before files: exclude /.well-known from them; "rewrites" to a single-page application come after files and do no harm
        - a custom domain that is set to redirect to another one redirects these paths, too: Apple fetches the file from each domain of an entitlement and follows no redirects
        - taken from the documentation, the sources of the Firebase CLI and what people report; not tried with Firebase
        """#,
        #"""
        host: github-pages
        title: GitHub Pages
        folder: the folder that is published
        checked: 2026-11-22
        source: https://docs.github.com/en/pages/getting-started-with-github-pages/creating-a-github-pages-site
        source: https://docs.github.com/en/pages/setting-up-a-github-pages-site-with-jekyll/about-github-pages-and-jekyll
        source: https://docs.github.com/en/pages/configuring-a-custom-domain-for-your-github-pages-site/about-custom-domains-and-github-pages
        source: https://docs.github.com/en/pages/getting-started-with-github-pages/securing-your-github-pages-site-with-https
        source: https://github.com/actions/upload-pages-artifact/issues/129
        source: https://github.com/actions/upload-pages-artifact/issues/147
        source: https://github.com/MichaelNeas/perpetual-learning/pull/9

        == file .nojekyll
        # Made by 'aasa export {{host}}' ({{version}}). Where this file is, Jekyll does not leave out names that begin with a dot.

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - put .nojekyll and the folder .well-known into the folder that is published; a site that needs Jekyll has include: [".well-known"] in _config.yml instead of .nojekyll
        - if a workflow uses actions/upload-pages-artifact, give it 'include-hidden-files: true' with v5, or use v3: v4 leaves out names that begin with a dot, whatever is set
        - publish, and check the domain

        == notes
        - GitHub Pages cannot set the type of a file without extension; the check shows which one it sends: that it is application/octet-stream is not confirmed; people report that universal links work from here, although Apple asks for application/json. assetlinks.json has the right type
        - only the root of a domain counts: a project page such as user.github.io/project needs its own domain
        - of {{domain}} and www.{{domain}}, GitHub redirects the one that is not configured to the other: put the configured one into the entitlement
        - the files are requested over https, so the domain needs its certificate; 'Enforce HTTPS' only affects http and does no harm
        - taken from the documentation and the issues; not tried with GitHub Pages
        """#,
        #"""
        host: gitlab-pages
        alias: gitlab
        title: GitLab Pages
        folder: the root of the project
        merged: yes
        checked: 2026-11-23
        source: https://docs.gitlab.com/user/project/pages/redirects
        source: https://gitlab.com/gitlab-org/gitlab-pages/-/blob/master/internal/serving/disk/helpers.go

        == file public/_redirects
        # Made by 'aasa export {{host}}' ({{version}}).
        {{if association}}
        # The type of a file comes from its extension, which this name does not have: a rewrite to one that has it. It is the first
        # rule that matches which counts, so no rule for all paths may come before.
        /.well-known/apple-app-site-association /.well-known/apple-app-site-association.json 200
        {{end}}
        {{if links}}
        # The other file has the right type, and needs no rule: files come before rules.
        {{end}}

        == association public/.well-known/apple-app-site-association.json
        == links public/.well-known/assetlinks.json

        == steps
        - add the line to public/_redirects of the site, before any rule that matches more, and put the folder .well-known into public; if a build makes public, into the folder that the build copies
        - see that no file has the name public/.well-known/apple-app-site-association, without .json: GitLab serves files before it looks at rules, and would send it as text/plain
        - push, and check the domain

        == notes
        - only the root of a domain counts: a site at namespace.gitlab.io/project needs its own domain
        - with access control, only members can see the site, and Apple and Google cannot log in: make the site visible to everyone
        - of {{domain}} and www.{{domain}}, the one that redirects to the other cannot be in an entitlement: rules for a domain (https://www.{{domain}}/* …) do not apply to files, but do to the rewritten path, so exclude /.well-known from them
        - taken from the documentation and the sources; not tried with GitLab
        """#,
        #"""
        host: h2o
        title: h2o
        folder: any folder that h2o may read
        checked: 2026-11-23
        source: tried with h2o 2.2.5, by the tests of this project
        source: https://h2o.examp1e.net/configure/file_directives.html
        source: https://h2o.examp1e.net/configure/headers_directives.html
        source: https://h2o.examp1e.net/configure/syntax_and_structure.html

        == file aasa.h2o.yaml
        # Made by 'aasa export {{host}}' ({{version}}).
        # Merge it into the paths of the host that answers https, which decide by the longest one that matches:
        #     paths:
        #       <<: !file {{configuration:yaml}}
        {{if association}}

        "/.well-known/apple-app-site-association":
          # The file alone: neither the fallback of a single-page application nor a redirect at "/" answers.
          file.file: {{association:yaml}}
          # The name has no extension: without this it would be text/plain.
          file.mime.setdefaulttype: application/json
          # The bytes as they are.
          compress: OFF
          # A file that is cached for a year is wrong for a year.
          expires: OFF
          header.set: "Cache-Control: public, max-age=3600"
        {{end}}
        {{if links}}

        # The same for Google, which asks for this file.
        "/.well-known/assetlinks.json":
          # The file alone, whatever answers at "/".
          file.file: {{links:yaml}}
          # Whatever the site says about .json.
          file.mime.settypes:
            "application/json": ".json"
          # The bytes as they are.
          compress: OFF
          # A file that is cached for a year is wrong for a year.
          expires: OFF
          header.set: "Cache-Control: public, max-age=3600"
        {{end}}

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - write this as the first line below "paths" of the host for {{domain}}: <<: !file {{configuration:yaml}}
        - check the configuration and reload: h2o -t -c /etc/h2o/h2o.conf && systemctl reload h2o

        == notes
        - if the site already has one of these paths, its own wins over the merged one: delete it
        - a handler of the host as a whole, such as a password in mruby, runs first: let it pass /.well-known/ on
        - a separate host that redirects {{domain}} to www, or www to {{domain}}, needs the line, too: Apple fetches the file from each domain of an entitlement and follows no redirects
        - h2o answers paths below these, such as /.well-known/assetlinks.json/more, with the same file, which nobody asks for
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
        - http-request rules of a named 'defaults' section run before those of the frontend: exclude /.well-known from redirects and passwords there
        - a separate frontend that redirects {{domain}} to www, or www to {{domain}}, needs the lines, too: Apple fetches the file from each domain of an entitlement and follows no redirects

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

        # <If> is merged after all other sections: it also wins over a password or a rule about names with a dot that is in the
        # server's own configuration.
        <If "%{REQUEST_URI} == '/.well-known/apple-app-site-association'">
            # The name has no extension: without this it would have no type. No '; charset=utf-8' is added to it.
            ForceType application/json
            # Apple cannot log in,
            AuthType None
            # and need not be among those that may see the site.
            Require all granted
            <IfModule mod_headers.c>
                # A file that is cached for a year is wrong for a year.
                Header set Cache-Control "public, max-age=3600"
                Header unset Expires
            </IfModule>
        </If>
        {{end}}
        {{if links}}

        # Merged after all other sections, too.
        <If "%{REQUEST_URI} == '/.well-known/assetlinks.json'">
            # No '; charset=utf-8' after the type, whatever AddCharset says about .json.
            ForceType application/json
            # Google cannot log in,
            AuthType None
            # and need not be among those that may see the site.
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
        - put the lines of .htaccess above '# BEGIN WordPress', or at the top, of the .htaccess in the document root
        - upload the folder .well-known, too; many upload programs hide names that begin with a dot

        == notes
        - a 'Redirect' or 'RedirectMatch' still answers first, wherever it is written, and so do the rules of the server's own configuration: write the redirect as a RewriteRule below these lines, or exclude /.well-known from it, as in RedirectMatch "^/(?!\.well-known/)(.*)$" "https://www.{{domain}}/$1"
        - the server has to allow it: AllowOverride with FileInfo and AuthConfig, or All; otherwise the answer is 500, or the file has no effect
        - a .htaccess inside of .well-known, which programs for certificates leave there, comes after this one: delete it, or put these lines into it
        - a plugin that redirects or protects the whole site does so in PHP, which is never asked for these files
        """#,
        #"""
        host: iis
        title: IIS
        folder: the root of the site
        merged: yes
        checked: 2026-11-22
        source: https://learn.microsoft.com/en-us/iis/configuration/system.webserver/staticcontent/mimemap
        source: https://learn.microsoft.com/en-us/iis/configuration/system.webserver/staticcontent/clientcache
        source: https://docs.microsoft.com/en-us/archive/blogs/chaun/iis7-error-cannot-add-duplicate-collection-entry-of-type-mimemap-with-unique-key-attribute-fileextension
        source: https://learn.microsoft.com/en-us/iis/configuration/system.webserver/handlers/
        source: https://learn.microsoft.com/en-us/iis/configuration/system.webserver/security/authentication/anonymousauthentication
        source: https://davefancher.com/2010/10/29/unlocking-configuration-sections-in-iis-7-x/
        source: https://technet.microsoft.com/en-us/library/ee791883(WS.10).aspx

        == file web.config
        <!-- Made by 'aasa export {{host}}' ({{version}}). It goes into the root of the site. -->
        <configuration>
        {{if association}}
          <location path=".well-known/apple-app-site-association">
            <system.webServer>
              <staticContent>
                <!-- IIS answers 404 for a file whose type it does not know; '.' stands for having no extension. Where the server has
                     an entry for it already, a second one without 'remove' would be an error 500.19. -->
                <remove fileExtension="." />
                <mimeMap fileExtension="." mimeType="application/json" />
                <!-- A file that is cached for a year is wrong for a year. -->
                <clientCache cacheControlMode="UseMaxAge" cacheControlMaxAge="0.01:00:00" />
              </staticContent>
              <handlers>
                <!-- The file answers, and not an application that takes all paths without extension. -->
                <clear />
                <add name="aasa" path="*" verb="GET,HEAD" modules="StaticFileModule" resourceType="File" requireAccess="Read" />
              </handlers>
              <rewrite>
                <rules>
                  <!-- No redirect and no fallback of a single-page application: the rules of the site do not count here. -->
                  <clear />
                </rules>
              </rewrite>
            </system.webServer>
          </location>
        {{end}}
        {{if links}}
          <location path=".well-known/assetlinks.json">
            <system.webServer>
              <staticContent>
                <!-- Old servers have no type for .json and answer 404; newer ones have, so that a second entry without 'remove'
                     would be an error 500.19. -->
                <remove fileExtension=".json" />
                <mimeMap fileExtension=".json" mimeType="application/json" />
                <!-- A file that is cached for a year is wrong for a year. -->
                <clientCache cacheControlMode="UseMaxAge" cacheControlMaxAge="0.01:00:00" />
              </staticContent>
              <handlers>
                <!-- The file answers, and not an application. -->
                <clear />
                <add name="aasa" path="*" verb="GET,HEAD" modules="StaticFileModule" resourceType="File" requireAccess="Read" />
              </handlers>
              <rewrite>
                <rules>
                  <!-- No redirect and no fallback of a single-page application: the rules of the site do not count here. -->
                  <clear />
                </rules>
              </rewrite>
            </system.webServer>
          </location>
        {{end}}
        </configuration>

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - put web.config into the root of the site, or its <location> elements into the <configuration> of the one that is there
        - copy the folder .well-known into the root of the site, too; upload programs may skip names that begin with a dot

        == notes
        - delete the element <rewrite> where the module URL Rewrite is not installed: otherwise it should be an error 500.19, which is not confirmed
        - if the server locks <handlers>, it is an error 500.19, too: delete that element
        - where anonymous access is switched off for the site, Apple and Google get 401: switch it on for the folder .well-known in the console of IIS, or with appcmd and /commit:apphost; a web.config may do that only where the server has unlocked the section
        - rules for the whole server (globalRules) run before and cannot be left out here; HTTP Redirect of the site probably runs, too, which is not confirmed: exclude these files from both
        - taken from the documentation; not tried with IIS
        """#,
        #"""
        host: laravel
        title: Laravel
        folder: the folder of the application
        checked: 2026-11-22
        source: https://laravel.com/docs/12.x/routing
        source: https://github.com/laravel/framework/blob/000ce0c37c639dfb0b970a8b59479114ea6d6421/src/Illuminate/Foundation/Configuration/ApplicationBuilder.php
        source: https://github.com/symfony/http-foundation/blob/0341e41d8d8830c31a1dff5cbc5bdb3ec872a073/Response.php

        == file routes/aasa.php
        <?php

        // Made by 'aasa export {{host}}' ({{version}}).
        // The first line of routes/web.php, so that no route that matches more comes before it:
        //     require __DIR__ . '/aasa.php';

        use Illuminate\Support\Facades\Route;

        foreach ([
        {{if association}}
            'apple-app-site-association',
        {{end}}
        {{if links}}
            'assetlinks.json',
        {{end}}
        ] as $name) {
            // A route for GET is one for HEAD, too.
            Route::get('.well-known/' . $name, function () use ($name) {
                // The exact bytes; without an explicit type it would be text/html.
                return response(file_get_contents(resource_path('aasa/' . $name)), 200, [
                    'Content-Type' => 'application/json',
                    // A file that is cached for a year is wrong for a year.
                    'Cache-Control' => 'public, max-age=3600',
                ]);
                // No session, and no login or choice of language that redirects.
            })->withoutMiddleware('web');
        }

        == association resources/aasa/apple-app-site-association
        == links resources/aasa/assetlinks.json

        == steps
        - write this as the first line of routes/web.php, after <?php and 'use': require __DIR__ . '/aasa.php';
        - if routes are cached, rebuild the cache: php artisan route:cache

        == notes
        - if public/ has files with the same names, the web server sends those, with its own type, and never asks Laravel: delete them
        - the web server in front of Laravel applies its redirects, passwords and rules for dot files first: see 'aasa export nginx' and 'aasa export apache'
        - middleware that is registered for all requests (maintenance mode, a forced domain) still runs: exclude .well-known from it
        - the lines were run with PHP 8.2 and stand-ins for Laravel's functions, not with Laravel itself
        """#,
        #"""
        host: lighttpd
        alias: lighty
        title: lighttpd
        folder: any folder that lighttpd may read
        checked: 2026-11-23
        source: tried with lighttpd 1.4.69, by the tests of this project
        source: https://redmine.lighttpd.net/projects/lighttpd/wiki/Docs_Configuration
        source: https://redmine.lighttpd.net/projects/lighttpd/wiki/mimetype.assignDetails
        source: https://redmine.lighttpd.net/projects/lighttpd/wiki/Mod_alias

        == file aasa.lighttpd.conf
        # Made by 'aasa export {{host}}' ({{version}}).
        # Include it as the last line of lighttpd.conf, or of the block that answers for the domain over https:
        #     include {{configuration:lighttpdInclude}}
        # It needs two modules: server.modules += ( "mod_alias", "mod_setenv" )
        #
        # The last block that matches a request sets what counts, so this one has to come after all others. An empty list takes away
        # what the site has set for all paths.
        {{if association}}

        $HTTP["url"] == "/.well-known/apple-app-site-association" {
            # The file, wherever the root of the site is.
            alias.url = ( "/.well-known/apple-app-site-association" => {{association:lighttpd}} )
            # The name has no extension: without this it would be application/octet-stream.
            mimetype.assign = ( "" => "application/json" )
            # Apple follows no redirect to www, or to a path with a slash at its end.
            url.redirect = ()
            # The fallback of a single-page application does not answer.
            url.rewrite-once = ()
            url.rewrite-repeat = ()
            url.rewrite-if-not-file = ()
            url.rewrite-repeat-if-not-file = ()
            # Neither does a program or a proxy that answers for the whole site.
            fastcgi.server = ()
            proxy.server = ()
            # A rule that denies names with a dot is about other files.
            url.access-deny = ()
            # Apple cannot log in.
            auth.require = ()
            # The bytes as they are.
            deflate.mimetypes = ()
            # A file that is cached for a year is wrong for a year.
            expire.url = ()
            setenv.set-response-header = ( "Cache-Control" => "public, max-age=3600" )
        }
        {{end}}
        {{if links}}

        # The same for Google, which asks for this file.
        $HTTP["url"] == "/.well-known/assetlinks.json" {
            # The file, wherever the root of the site is.
            alias.url = ( "/.well-known/assetlinks.json" => {{links:lighttpd}} )
            # No '; charset=utf-8' after the type, whatever the site says about .json.
            mimetype.assign = ( "" => "application/json" )
            # Google follows no redirect.
            url.redirect = ()
            # The fallback of a single-page application does not answer.
            url.rewrite-once = ()
            url.rewrite-repeat = ()
            url.rewrite-if-not-file = ()
            url.rewrite-repeat-if-not-file = ()
            # Neither does a program or a proxy that answers for the whole site.
            fastcgi.server = ()
            proxy.server = ()
            # A rule that denies names with a dot is about other files.
            url.access-deny = ()
            # Google cannot log in.
            auth.require = ()
            # The bytes as they are.
            deflate.mimetypes = ()
            # A file that is cached for a year is wrong for a year.
            expire.url = ()
            setenv.set-response-header = ( "Cache-Control" => "public, max-age=3600" )
        }
        {{end}}

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - load the modules that the lines need: server.modules += ( "mod_alias", "mod_setenv" )
        - write this as the last line of lighttpd.conf, or of the block for {{domain}}: include {{configuration:lighttpdInclude}}
        - check the configuration and restart: lighttpd -tt -f /etc/lighttpd/lighttpd.conf && systemctl restart lighttpd

        == notes
        - lighttpd reports 'unknown config-key … (ignored)' for settings of modules that it has not loaded: they do no harm, and can be deleted
        - a script of mod_magnet for the whole site runs first: let it return for /.well-known/
        - lighttpd must be able to read the files: each folder on the path to them needs the execute permission (x)
        """#,
        #"""
        host: netlify
        title: Netlify
        folder: the publish folder
        merged: yes
        checked: 2026-11-22
        source: https://docs.netlify.com/routing/headers/
        source: https://docs.netlify.com/routing/redirects/rewrites-proxies/
        source: https://answers.netlify.com/t/changed-behavior-in-redirects/10084
        source: https://docs.netlify.app/domains-https/custom-domains/multiple-domains/
        source: https://docs.netlify.com/visitor-access/password-protection/

        == file _headers
        # Made by 'aasa export {{host}}' ({{version}}).
        {{if association}}
        # The name has no extension: without this the type would be that of unknown bytes. An hour, because a file that is cached for
        # a year is wrong for a year.
        /.well-known/apple-app-site-association
          Content-Type: application/json
          Cache-Control: public, max-age=3600
        {{end}}
        {{if links}}
        # No '; charset=utf-8' after the type.
        /.well-known/assetlinks.json
          Content-Type: application/json
          Cache-Control: public, max-age=3600
        {{end}}

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - put the lines of _headers and the folder .well-known into the publish folder; with most site generators, put them into the folder for static files
        - deploy, and check the primary domain and every other domain of the entitlement

        == notes
        - a file comes before the rules of _redirects and netlify.toml, such as the fallback of a single-page application, but not before a forced one (a '!' after the status, or force = true): exclude /.well-known from those
        - of {{domain}} and www.{{domain}}, Netlify redirects the one that is not the primary domain to the other, and Apple follows no redirect: put the primary domain into the entitlement; domain aliases are redirected only by rules of your own
        - a password for the whole site keeps Apple and Google out, too
        - rules in _headers do not apply to the responses of functions, edge functions and proxies: no function may handle /.well-known
        - taken from the documentation; not tried with Netlify
        """#,
        #"""
        host: next
        alias: next.js
        alias: nextjs
        title: Next.js
        folder: the root of the project
        checked: 2026-11-22
        source: https://nextjs.org/docs/app/api-reference/config/next-config-js/headers
        source: https://nextjs.org/docs/app/api-reference/config/next-config-js/trailingSlash
        source: https://nextjs.org/docs/app/api-reference/config/next-config-js/basePath
        source: https://nextjs.org/docs/app/api-reference/file-conventions/proxy
        source: https://nextjs.org/docs/messages/export-no-custom-routes

        == file aasa.next.mjs
        // Made by 'aasa export {{host}}' ({{version}}).
        // In next.config.mjs:
        //     import { aasaHeaders } from './aasa.next.mjs'
        //     export default { async headers() { return [...aasaHeaders()] } }

        export function aasaHeaders() {
          const headers = [
            // The name has no extension: without this the type would be that of unknown bytes.
            { key: 'Content-Type', value: 'application/json' },
            // A file that is cached for a year is wrong for a year.
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
        - put aasa.next.mjs beside next.config.mjs, and return aasaHeaders() from headers() there, after other entries, since the last one for a path wins
        - exclude .well-known from the matcher of middleware (proxy since Next.js 16), which would redirect to a login or a language otherwise: matcher: '/((?!_next|\\.well-known).*)'
        - build and deploy, and check the domain

        == notes
        - with basePath all files of public move below it, but Apple and Google ask at the root of the domain: what answers there has to have the files
        - trailingSlash leaves /.well-known alone; entries of redirects() do not: they come before files, so exclude /.well-known from them
        - with output: 'export' there are no headers: export for the host that serves the files, too
        - a proxy in front of Next.js can still redirect or ask for a password: check the domain, and export for that server, too, if necessary
        - taken from the documentation; the function was run with Node.js 20, but not in Next.js
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
        #     include {{configuration:nginxInclude}};

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
        - write this as the first line of the server block for https: include {{configuration:nginxInclude}};
        - check the configuration and reload: nginx -t && nginx -s reload

        == notes
        - a separate server block that redirects {{domain}} to www, or www to {{domain}}, never reads this file: include it there, too, because Apple fetches the file from each domain of an entitlement and follows no redirects
        - 'auth_request' is not switched off here, because nginx rejects the directive if its module is missing: if the server block uses it, write 'auth_request off;' into the locations
        - nginx must be able to read the files: each folder on the path to them needs the execute permission (x)
        - nginx rejects two locations for the same path: delete the one that the site already has
        """#,
        #"""
        host: rails
        alias: ruby-on-rails
        title: Ruby on Rails
        folder: the folder of the application
        checked: 2026-11-22
        source: https://apidock.com/rails/v8.1.1/ActionDispatch/Routing/Mapper/Mapping/Resources/draw
        source: https://apidock.com/rails/v6.1.7.7/ActionDispatch/Routing/Mapper/Mapping/Scoping/Resources/draw
        source: https://github.com/rails/rails/blob/main/actionpack/lib/action_dispatch/middleware/static.rb

        == file config/routes/aasa.rb
        # Made by 'aasa export {{host}}' ({{version}}).
        # The first line in the block of config/routes.rb, so that no route that matches more comes before it:
        #     draw(:aasa)

        {
        {{if association}}
          "/.well-known/apple-app-site-association" => "apple-app-site-association",
        {{end}}
        {{if links}}
          "/.well-known/assetlinks.json" => "assetlinks.json",
        {{end}}
        }.each do |path, name|
          # Read once: the exact bytes.
          bytes = Rails.root.join("config", "aasa", name).binread.freeze
          headers = {
            # In lower case, as Rack 3 requires. A controller would add '; charset=utf-8' to the type.
            "content-type" => "application/json",
            "content-length" => bytes.bytesize.to_s,
            # A file that is cached for a year is wrong for a year.
            "cache-control" => "public, max-age=3600",
          }.freeze
          # An endpoint of its own: no controller asks for a login or a language. 'format: false' takes .json as part of the path.
          get path, to: ->(env) { [200, headers.dup, env["REQUEST_METHOD"] == "HEAD" ? [] : [bytes]] }, format: false
        end

        == association config/aasa/apple-app-site-association
        == links config/aasa/assetlinks.json

        == steps
        - write this as the first line of the block in config/routes.rb: draw(:aasa)
        - restart the application, now and after each change of the files

        == notes
        - draw needs Rails 6.1 or later
        - a file of the same name in public/ comes before routes, and one without extension gets text/plain there: delete it
        - middleware runs before routes: exclude /.well-known/ from redirects, passwords and blocklists there (force_ssl behind a proxy that does not say X-Forwarded-Proto, Rack::Attack, rack-rewrite, Rack::Auth::Basic)
        - the web server in front of Rails applies its redirects, passwords and rules for dot files first: see 'aasa export nginx' and 'aasa export apache'
        - the lines were run with Ruby 3.1 and stand-ins for what they use of Rails, not with Rails itself
        """#,
        #"""
        host: s3-cloudfront
        alias: s3
        alias: cloudfront
        alias: aws
        title: Amazon S3 with CloudFront
        folder: any folder
        checked: 2026-11-22
        source: https://docs.aws.amazon.com/cli/latest/reference/s3/cp.html
        source: https://docs.aws.amazon.com/cli/latest/reference/s3/sync.html
        source: https://docs.aws.amazon.com/sdkfornet1/latest/apidocs/html/P_Amazon_S3_Model_CopyObjectRequest_ContentType.htm
        source: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Invalidation.html
        source: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/Expiration.html
        source: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages-response-code.html
        source: https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/lambda-cloudfront-trigger-events.html
        source: https://docs.amazonaws.cn/en_us/AmazonCloudFront/latest/DeveloperGuide/http-403-permission-denied.md
        source: https://pub.dev/documentation/aws_cloudfront_api/latest/cloudfront-2018-11-05/Origin/originPath.html

        == file upload.sh
        #!/bin/sh
        # Made by 'aasa export {{host}}' ({{version}}).
        # Usage: BUCKET=my-bucket DISTRIBUTION=E123EXAMPLE ./upload.sh

        # Nothing goes on after a failure, and no name is empty by mistake.
        set -eu
        : "${BUCKET:?set it to the name of the bucket}"
        : "${DISTRIBUTION:?set it to the ID of the CloudFront distribution}"
        # The files are beside this script.
        cd "$(dirname "$0")"
        {{if association}}

        # The name has no extension: without --content-type it would be binary/octet-stream. An hour, because a file that is cached
        # for a year is wrong for a year.
        aws s3 cp .well-known/apple-app-site-association "s3://$BUCKET/.well-known/apple-app-site-association" \
            --content-type application/json --cache-control 'public, max-age=3600'
        {{end}}
        {{if links}}

        # The type is written out, so that no parameter is added.
        aws s3 cp .well-known/assetlinks.json "s3://$BUCKET/.well-known/assetlinks.json" \
            --content-type application/json --cache-control 'public, max-age=3600'
        {{end}}

        # Without this the edges keep the old file until its hour is over, or for a day if it had no Cache-Control.
        aws cloudfront create-invalidation --distribution-id "$DISTRIBUTION" --paths '/.well-known/*'

        == association .well-known/apple-app-site-association
        == links .well-known/assetlinks.json

        == steps
        - run upload.sh, now and after each change, with BUCKET and DISTRIBUTION set
        - make sure that the distribution answers /.well-known/* from this bucket

        == notes
        - a function of the distribution that redirects, asks for a password or adds index.html runs before the bucket: exclude /.well-known/ from it
        - if the check prints 200 text/html, the file is not in the bucket, or the distribution is not allowed to read it: the error page of a single-page application, which has status 200, hides the 403
        - an origin with a path ("Origin path") puts that path before the names: upload below it
        - signed URLs, and rules of AWS WAF against robots, stop Apple's and Google's fetchers, too
        - 'aws s3 sync' of the site with --delete, or without --content-type, removes or changes the files: run upload.sh after it
        - taken from the documentation; the script was run with a stand-in for aws, not with Amazon's servers
        """#,
        #"""
        host: traefik
        title: Traefik, with aasa behind it
        folder: a folder on the machine of Traefik
        checked: 2026-11-23
        source: https://doc.traefik.io/traefik/v3.8/reference/routing-configuration/http/routing/rules-and-priority/
        source: https://doc.traefik.io/traefik/v3.8/reference/routing-configuration/other-providers/file/
        source: https://github.com/traefik/traefik/issues/4240

        == file aasa.traefik.yml
        # Made by 'aasa export {{host}}' ({{version}}).
        # Put it into the folder of Traefik's file provider (providers.file.directory). Traefik serves no files itself, so these
        # routers pass the requests on to 'aasa serve', which listens on plain HTTP:
        #     { "listen": ["http://127.0.0.1:8088"] }
        http:
          routers:
        {{if association}}
            aasa-apple:
              rule: "Host(`{{domain}}`) && Path(`/.well-known/apple-app-site-association`)"
              # Before all routers of the site, whose priority is the length of their rule.
              priority: 100000
              # The entry point for https. No middlewares: no redirect, no password and no compression is in the way.
              entryPoints: ["websecure"]
              tls: {}
              service: aasa
        {{end}}
        {{if links}}
            # The same for Google, which asks for this file.
            aasa-google:
              rule: "Host(`{{domain}}`) && Path(`/.well-known/assetlinks.json`)"
              priority: 100000
              entryPoints: ["websecure"]
              tls: {}
              service: aasa
        {{end}}
          services:
            aasa:
              loadBalancer:
                # Which site it is: aasa has one for each domain.
                passHostHeader: true
                servers:
                  - url: "http://127.0.0.1:8088"

        == association sites/apple-app-site-association
        == links sites/assetlinks.json

        == steps
        - copy the files into the folder of the domain, which aasa serves: mkdir -p /etc/aasa/sites/{{domain}} && cp {{root:shell}}/sites/* /etc/aasa/sites/{{domain}}/
        - let aasa listen for Traefik, with this in /etc/aasa/server.json, and start it: { "sites": "/etc/aasa/sites", "listen": ["http://127.0.0.1:8088"], "trustedProxies": ["loopback"] }
        - copy aasa.traefik.yml into the folder of Traefik's file provider; without one, add to Traefik's own configuration: providers.file.directory: /etc/traefik/dynamic
        - write the name of your entry point for https in place of 'websecure', and the certificate resolver that the site has, such as tls: { certResolver: letsencrypt }

        == notes
        - middlewares of an entry point (entryPoints.websecure.http.middlewares) run for these routers, too: leave redirects and passwords out of them
        - if Traefik runs in a container, 127.0.0.1 is the container: name the address of aasa, which can be its image in the same network
        - for a further domain, such as www.{{domain}}, write Host(`{{domain}}`) || Host(`www.{{domain}}`) in parentheses; Apple fetches the file from each domain of an entitlement and follows no redirects
        - taken from the documentation; not tried with Traefik
        """#,
        #"""
        host: vercel
        title: Vercel
        folder: the root of the project
        merged: yes
        checked: 2026-11-22
        source: https://vercel.com/docs/project-configuration/vercel-json
        source: https://vercel.com/docs/routing/redirects/configuration-redirects
        source: https://github.com/vercel/vercel/blob/main/packages/routing-utils/src/superstatic.ts
        source: https://github.com/vercel/vercel/blob/main/packages/routing-utils/src/index.ts
        source: https://github.com/vercel/vercel/blob/main/packages/cli/src/util/dev/router.ts
        source: https://vercel.com/docs/domains/working-with-domains/deploying-and-redirecting
        source: https://github.com/vercel/vercel/issues/13035
        source: https://vercel.com/docs/deployment-protection
        source: https://github.com/vercel/vercel/issues/11318

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
        - add the entries of "headers" to the vercel.json in the root of the project: the name has no extension, so without them the type would not be application/json, and caches could keep an old file for a year
        - put the folder public/.well-known into the folder of static files, which most frameworks call public; a project without a build and without such a folder serves its root instead, but that its root serves .well-known is not confirmed: put the site into public, too
        - deploy, and check the domain itself, not only the address of the deployment

        == notes
        - a redirect that is set for a domain in the dashboard, such as {{domain}} to www.{{domain}}, comes before everything in vercel.json: Apple fetches the file from each domain of an entitlement and follows no redirects, so assign the domain to the project without a redirect, or leave it out of the entitlement
        - Deployment Protection asks visitors to log in, and Apple and Google cannot: Standard Protection leaves production domains open, and "All Deployments" must not be chosen
        - "trailingSlash": true redirects nothing below /.well-known, but by the sources its rule ends the search before "headers": look at the type that the check prints
        - the documentation says that vercel.json cannot redirect or rewrite /.well-known, but people report rewrites that do: leave it out of "redirects" all the same, as in "source": "/((?!\\.well-known/).*)"
        - entries of "rewrites" to a single-page application do no harm, because files come first; the older "routes" may come before files
        - taken from the documentation, the sources and what people report; not tried with Vercel
        """#,
    ]
}
